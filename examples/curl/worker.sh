#!/usr/bin/env bash
# A worker that is a shell script: one job for every line of its input. It
# pushes OTLP/JSON with curl after each job, and its last push says goodbye.
set -euo pipefail

endpoint=${OTEL_EXPORTER_OTLP_ENDPOINT:-http://localhost:4318}
id=${WORKER_ID:-$(hostname)/backup}
incarnation=${WORKER_INCARNATION:-$(cat /proc/sys/kernel/random/uuid)}
start=$(date +%s%N)
jobs=0

# push [curl options]: sends the count so far. curl fails if it was not acknowledged.
push() {
  curl --silent --show-error --fail-with-body --max-time 5 --retry 3 "$endpoint/v1/metrics" "$@" \
    --header "content-type: application/json" \
    --header "x-worker-id: $id" --header "x-worker-incarnation: $incarnation" \
    --data-binary @- --output /dev/null <<JSON
{"resourceMetrics": [{
  "resource": {"attributes": [
    {"key": "service.name", "value": {"stringValue": "backup"}},
    {"key": "worker.id", "value": {"stringValue": "$id"}},
    {"key": "process.pid", "value": {"intValue": "$$"}},
    {"key": "worker.incarnation", "value": {"stringValue": "$incarnation"}}]},
  "scopeMetrics": [{"metrics": [{"name": "backup.jobs", "sum": {
    "aggregationTemporality": 2, "isMonotonic": true,
    "dataPoints": [{"startTimeUnixNano": "$start", "timeUnixNano": "$(date +%s%N)", "asInt": "$jobs"}]}}]}]}]}
JSON
}

# Runs at every end but SIGKILL. One push carries the last count and the goodbye.
trap 'push --header "x-worker-state: terminated"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

while read -r job; do
  jobs=$((jobs + 1))
  push
  echo "done: $job"
done
