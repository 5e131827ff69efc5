# The collector in an image of its own: a static binary, no shell, not root.
#
#   docker build -t otelcol-workers .
#   docker run -p 4317:4317 -p 4318:4318 -p 8889:8889 -v otelcol-workers:/var/lib/otelcol-workers otelcol-workers
#
# It runs config/agent-and-gateway/gateway.yaml, which listens on all addresses
# of the container. Mount another file over /etc/otelcol-workers/config.yaml to
# run that.
#
# Not built by the project's tests, which have no container engine. They run the
# same commands outside: make build, and the configuration.

FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum builder-config.yaml Makefile ./
COPY internal internal
COPY processor processor
COPY receiver receiver
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    make build && install -D dist/otelcol-workers /out/usr/bin/otelcol-workers
COPY LICENSE /out/usr/share/doc/otelcol-workers/
COPY config/agent-and-gateway/gateway.yaml /out/etc/otelcol-workers/config.yaml
# A new volume takes its owner from the image's directory.
RUN install -d -o 10001 -g 10001 -m 0750 /out/var/lib/otelcol-workers \
    && install -D /etc/ssl/certs/ca-certificates.crt /out/etc/ssl/certs/ca-certificates.crt

FROM scratch
COPY --from=build /out /
USER 10001:10001
ENV OTELCOL_WORKERS_DATA=/var/lib/otelcol-workers
VOLUME /var/lib/otelcol-workers
EXPOSE 4317 4318 8888 8889
ENTRYPOINT ["/usr/bin/otelcol-workers"]
CMD ["--config=/etc/otelcol-workers/config.yaml"]
