"""A WSGI application that counts its requests."""

import os

import telemetry


def app(environ, start_response):
    telemetry.add("web.requests", route=environ["PATH_INFO"])
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [f"{os.getpid()}\n".encode()]
