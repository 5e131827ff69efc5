#!/bin/bash
# run.sh COLLECTOR CONFIG: start the collector in the foreground and say, once
# it is up, where to push, where to look and what to try.
set -euo pipefail
collector=$1 config=$2
health=http://localhost:13133/

if curl -s -o /dev/null $health; then
	echo "Something answers on $health already, perhaps another collector. Stop it first." >&2
	exit 1
fi
echo "Starting $collector on $config"
"$collector" --config="$config" &
pid=$!
trap 'kill -TERM $pid 2>/dev/null || true' INT TERM

until curl -sf -o /dev/null $health; do
	kill -0 $pid 2>/dev/null || { wait $pid || exit $?; exit 1; }
	sleep 0.2
done

cat <<'TEXT'

Up. Press Ctrl-C to stop.
  push OTLP to    localhost:4317 (gRPC), http://localhost:4318 (HTTP)
  totals are on   http://localhost:8889/metrics

Try it in another terminal: a worker counts 3 jobs, says goodbye and is gone.

TEXT
cat "$(dirname "$0")/try.sh"
cat <<'TEXT'

5 seconds later its 3 jobs are in the total, and stay:

curl -s http://localhost:8889/metrics | grep ^jobs_done_total

TEXT

# The first wait returns when a signal arrives, the second when the collector has flushed and stopped.
wait $pid || wait $pid
