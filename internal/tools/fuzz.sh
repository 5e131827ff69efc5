#!/bin/bash
# fuzz.sh TIME: run each fuzz test of the root module for TIME; go test can only run one at once.
set -euo pipefail
time=$1
cd "$(dirname "$0")/../.."
grep -rln --include='*_test.go' '^func Fuzz' receiver processor internal | while read -r file; do
	grep -o '^func Fuzz[A-Za-z0-9_]*' "$file" | while read -r _ name; do
		echo "$file $name"
		go test "./$(dirname "$file")" -run '^$' -fuzz "^$name\$" -fuzztime "$time"
	done
done
