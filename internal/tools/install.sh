#!/bin/bash
# install.sh: install the programs that tests need and that are missing, where
# that can be done without asking: as root, on Debian or its like. Elsewhere it
# names them.
set -euo pipefail

missing=()
need() { command -v "$1" >/dev/null || missing+=("$2"); }
need gcc gcc           # the race detector
need curl curl         # what the README says
need node nodejs       # examples/node-*
need npm npm
need python3 python3   # examples/python-gunicorn
need gunicorn gunicorn

[ ${#missing[@]} -gt 0 ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	echo "Installing ${missing[*]}"
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -qq
	apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
else
	echo "Missing here: ${missing[*]}. Tests that need them are skipped." >&2
fi
