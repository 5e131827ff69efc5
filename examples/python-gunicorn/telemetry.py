"""Counters that are pushed as OTLP/JSON, with nothing but the standard library."""

import json
import os
import socket
import sys
import threading
import time
import urllib.parse
import urllib.request
import uuid

ENDPOINT = os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318")
INTERVAL = float(os.environ.get("OTEL_METRIC_EXPORT_INTERVAL", "10000")) / 1000

RUNNING, TERMINATED = 0, 2


class Identity:
    """Names one life of one worker."""

    def __init__(self, service):
        self.service = service
        self.id = f"{socket.gethostname()}/{uuid.uuid4()}"
        self.incarnation = str(uuid.uuid4())


class Worker:
    """The counters of this process and the thread that pushes them."""

    def __init__(self, identity):
        self.identity = identity
        self.started = time.time_ns()
        self.counts = {}
        self.lock = threading.Lock()  # for counts
        self.pushing = threading.Lock()  # one push at a time, in the order of their values
        self.done = threading.Event()
        threading.Thread(target=self._run, daemon=True).start()

    def add(self, name, value, **attributes):
        key = (name, tuple(sorted(attributes.items())))
        with self.lock:
            self.counts[key] = self.counts.get(key, 0) + value

    def _run(self):
        while True:  # the first push, at once, announces the worker
            try:
                self.push(RUNNING)
            except OSError as error:  # the next push carries everything again
                print(f"push: {error}", file=sys.stderr)
            if self.done.wait(INTERVAL):
                return

    def push(self, state):
        with self.pushing:
            now = time.time_ns()
            with self.lock:
                counts = dict(self.counts)
            metrics = [self._sum(name, attributes, value, now) for (name, attributes), value in counts.items()]
            metrics.append({"name": "worker.state", "gauge": {"dataPoints": [_point(now, state)]}})
            resource = {
                "service.name": self.identity.service,
                "worker.id": self.identity.id,
                "worker.incarnation": self.identity.incarnation,
            }
            _send("POST", "/v1/metrics", {"resourceMetrics": [{
                "resource": {"attributes": _attributes(resource.items())},
                "scopeMetrics": [{"scope": {"name": "telemetry.py"}, "metrics": metrics}],
            }]})

    def _sum(self, name, attributes, value, now):
        point = _point(now, value, startTimeUnixNano=str(self.started), attributes=_attributes(attributes))
        return {"name": name, "sum": {"aggregationTemporality": 2, "isMonotonic": True, "dataPoints": [point]}}


def _point(now, value, **more):
    return {"timeUnixNano": str(now), "asInt": str(value), **more}


def _attributes(pairs):
    return [{"key": key, "value": {"stringValue": str(value)}} for key, value in pairs]


def _send(method, path, body, timeout=5):
    request = urllib.request.Request(
        ENDPOINT + path, json.dumps(body).encode(), {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=timeout):
        pass


_worker = None  # of this process; the master has none


def start(identity):
    global _worker
    _worker = Worker(identity)


def add(name, value=1, **attributes):
    _worker.add(name, value, **attributes)


def goodbye(attempts=3):
    """Pushes the last counts together with the goodbye; returns whether that was acknowledged."""
    if _worker is None:
        return True
    _worker.done.set()
    for attempt in range(attempts):
        try:
            _worker.push(TERMINATED)
            return True
        except OSError as error:
            print(f"goodbye: {error}", file=sys.stderr)
            time.sleep(attempt)
    return False


def report_death(identity):
    """For the master, which must not be held up for long and must not fail."""
    path = "/v1/workers/" + urllib.parse.quote(identity.id, safe="")
    try:
        _send("PUT", path, {"state": "terminated", "incarnation": identity.incarnation, "reason": "reported"}, timeout=1)
    except OSError as error:
        print(f"report of {identity.id}: {error}", file=sys.stderr)
