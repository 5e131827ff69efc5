//go:build !race

package promtest

import (
	"fmt"
	"testing"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
	"github.com/otelcol-workers/otelcol-workers/promtest/server"
)

// One collector, two pipelines, the same workers. The plain one is what people
// begin with: receiver and exporter of stock, both at their defaults.
const pipelines = `
receivers:
  workeragg:
    protocols:
      grpc: {endpoint: '{{addr "ours"}}'}
  otlp:
    protocols:
      grpc: {endpoint: '{{addr "plain"}}'}
processors:
  deadworkerretain: {stale_after: ` + staleAfter + `, flush_interval: ` + flushInterval + `, storage: file_storage}
exporters:
  prometheus/ours:
    endpoint: '{{addr "ours metrics"}}'
    resource_constant_labels: {included: ["*"]}
  prometheus/plain:
    endpoint: '{{addr "plain metrics"}}'
  prometheus_remote_write:
    http: {endpoint: '${env:REMOTE_WRITE}/api/v1/write'}
    resource_constant_labels: {included: ["*"]}
    remote_write_queue: {num_consumers: 1}
  otlp_http:
    endpoint: '${env:OTLP}/api/v1/otlp'
    sending_queue: {num_consumers: 1}
  otlp_http/starts:
    endpoint: '${env:OTLP_STARTS}/api/v1/otlp'
    sending_queue: {num_consumers: 1}
extensions:
  file_storage: {directory: '{{dir}}'}
service:
  extensions: [file_storage]
  pipelines:
    metrics/ours:
      receivers: [workeragg]
      processors: [deadworkerretain]
      exporters: [prometheus/ours, prometheus_remote_write, otlp_http, otlp_http/starts]
    metrics/plain: {receivers: [otlp], exporters: [prometheus/plain]}
  telemetry:
    metrics:
      readers:
        - pull: {exporter: {prometheus: {host: 127.0.0.1, port: {{port "self"}}}}}
`

// The totals' resource attributes become labels here as they do in the other exporters.
const otlpReceiver = `
otlp:
  promote_resource_attributes: [service.namespace, deployment.environment.name]
`

const scraper = `
scrape_configs:
  - job_name: otelcol-workers
    scrape_interval: ` + scrapeInterval + `
    scrape_timeout: ` + scrapeInterval + `
    honor_labels: true
    static_configs:
      - targets: ['%s']
`

// prometheuses starts the collector and what its exporters lead to.
func prometheuses(t *testing.T) (ours []*path, plain *path, c *collector.Collector) {
	written := server.Start(t, server.Options{})
	sent := server.Start(t, server.Options{Config: otlpReceiver})
	starts := server.Start(t, server.Options{Config: otlpReceiver, StartTimes: true})
	c = harness.Collector(t, collector.Options{
		Config: pipelines,
		Env:    []string{"REMOTE_WRITE=" + written.URL(), "OTLP=" + sent.URL(), "OTLP_STARTS=" + starts.URL()},
	})
	scrape := func(addr string) *server.Server {
		return server.Start(t, server.Options{Config: fmt.Sprintf(scraper, c.Addr(addr))})
	}
	return []*path{
		{name: "scrape", server: scrape("ours metrics")},
		{name: "remote write", server: written},
		{name: "OTLP", server: sent},
		{name: "OTLP, start times kept", server: starts, starts: true},
	}, &path{name: "plain pipeline, scrape", server: scrape("plain metrics")}, c
}
