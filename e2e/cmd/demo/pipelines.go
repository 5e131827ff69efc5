package main

import (
	"context"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/exposition"
)

// One collector with two pipelines for the same workers. The plain one is what
// people begin with: receiver and exporter of stock, both at their defaults.
const config = `
receivers:
  workeragg:
    protocols:
      grpc: {endpoint: '{{addr "ours"}}'}
  otlp:
    protocols:
      grpc: {endpoint: '{{addr "plain"}}'}
processors:
  deadworkerretain:
    stale_after: 3s
    flush_interval: 200ms
exporters:
  prometheus/ours:
    endpoint: '{{addr "ours metrics"}}'
    resource_constant_labels: {included: ["*"]}
  prometheus/plain:
    endpoint: '{{addr "plain metrics"}}'
service:
  pipelines:
    metrics/ours: {receivers: [workeragg], processors: [deadworkerretain], exporters: [prometheus/ours]}
    metrics/plain: {receivers: [otlp], exporters: [prometheus/plain]}
  telemetry:
    metrics: {level: none}
`

const setup = `The plain pipeline is the stock OTLP receiver and Prometheus exporter, both at
their defaults; its total is sum(jobs_done_total). Each worker carries the
service.instance.id of its place (shop-1 to shop-5), as in a StatefulSet or
under PM2. Without it the plain total would be that of one worker alone: they
would overwrite each other.
`

// shown is what sum(jobs_done_total) gives on the two endpoints.
func shown(ctx context.Context, c *collector.Collector) (ours, plain float64, err error) {
	for name, total := range map[string]*float64{"ours metrics": &ours, "plain metrics": &plain} {
		samples, err := exposition.Fetch(ctx, "http://"+c.Addr(name)+"/metrics")
		if err != nil {
			return 0, 0, err
		}
		*total = samples.Sum("jobs_done_total", nil)
	}
	return ours, plain, nil
}
