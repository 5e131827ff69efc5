#!/usr/bin/env bash
# Runs a worker under a name, and reports its death however it dies:
#   supervise.sh NAME COMMAND...
# NAME may hold letters, digits and any of - _ . / (other characters would have
# to be percent-encoded in the URL below).
set -uo pipefail

endpoint=${OTEL_EXPORTER_OTLP_ENDPOINT:-http://localhost:4318}
export WORKER_ID=$1 WORKER_INCARNATION
WORKER_INCARNATION=$(cat /proc/sys/kernel/random/uuid)
shift

"$@" <&0 &
pid=$!
trap 'kill -TERM $pid' TERM INT
wait $pid
status=$?
while kill -0 $pid 2>/dev/null; do # a signal to this script ends the wait early
  wait $pid
  status=$?
done

curl --silent --show-error --fail-with-body --max-time 5 --request PUT \
  "$endpoint/v1/workers/${WORKER_ID//\//%2F}" \
  --header "content-type: application/json" --output /dev/null \
  --data "{\"state\": \"terminated\", \"incarnation\": \"$WORKER_INCARNATION\", \"reason\": \"reported\"}"
exit $status
