"""Hooks that tell the collector of births and deaths. Copy them into your own file."""

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))

import telemetry

bind = "localhost:8000"
workers = 4


def pre_fork(server, worker):
    # Made before the fork, so that both sides know whom they speak of.
    worker.identity = telemetry.Identity(service="web")


def post_fork(server, worker):
    telemetry.start(worker.identity)


def worker_exit(server, worker):
    # Runs in the worker, at every end that leaves it time for last words:
    # SIGTERM, max_requests, reload, also the SIGABRT of a timeout.
    telemetry.goodbye()


def child_exit(server, worker):
    # Runs in the master, for every end. Workers that have said goodbye are
    # reported too: being dead twice changes nothing.
    telemetry.report_death(worker.identity)
