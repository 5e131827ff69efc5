// Package e2e runs every recipe against the built collector, lets its workers
// die in every way, and checks that the totals are exact and never fall.
package e2e

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/exposition"
	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
	"github.com/otelcol-workers/otelcol-workers/e2e/monotone"
	"github.com/otelcol-workers/otelcol-workers/examples/e2e/ledger"
)

// never is a stale_after that no test lives to see: a death that the collector
// knows of under it was told, not guessed from silence.
const never = "1h"

// shortly is a stale_after for workers that stall, and so long that the others,
// which push every 200 ms, do not seem to.
const shortly = "3s"

const config = `
receivers:
  workeragg:
    protocols:
      grpc: {endpoint: '{{addr "grpc"}}'}
      http: {endpoint: '{{addr "http"}}'}
processors:
  deadworkerretain:
    flush_interval: 100ms
    storage: file_storage
exporters:
  prometheus: {endpoint: '{{addr "prometheus"}}'}
extensions:
  file_storage: {directory: '{{dir}}/state', create_directory: true}
service:
  extensions: [file_storage]
  pipelines:
    metrics: {receivers: [workeragg], processors: [deadworkerretain], exporters: [prometheus]}
  telemetry:
    metrics:
      level: detailed
      readers: [{pull: {exporter: {prometheus: {host: 127.0.0.1, port: {{port "self"}}}}}}]
`

// rig is a collector that is watched, with a ledger in front of it.
type rig struct {
	t         *testing.T
	collector *collector.Collector
	ledger    *ledger.Ledger
	watch     *monotone.Watcher
}

// newRig starts a collector, with further --set options. At the end of the test
// nothing that it shows may have fallen.
func newRig(t *testing.T, staleAfter string, set ...string) *rig {
	t.Helper()
	set = append([]string{"processors::deadworkerretain::stale_after=" + staleAfter}, set...)
	r := &rig{t: t, collector: harness.Collector(t, collector.Options{Config: config, Set: set})}
	r.watch = harness.Watch(t, r.collector.Addr("prometheus"), 20*time.Millisecond)
	t.Cleanup(func() {
		report := r.watch.Stop()
		assert.Empty(t, report.Falls)
		assert.Zero(t, report.Failed, "%v", report.LastError)
		assert.Positive(t, report.Scrapes)
	})
	var err error
	r.ledger, err = ledger.Open(ledger.Upstream{HTTP: r.collector.Addr("http"), GRPC: r.collector.Addr("grpc")})
	harness.Must(t, err)
	t.Cleanup(r.ledger.Close)
	return r
}

// env makes workers push to the ledger over HTTP, as often as they can.
func (r *rig) env(more ...string) []string {
	return append([]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://" + r.ledger.HTTP,
		"OTEL_METRIC_EXPORT_INTERVAL=200",
	}, more...)
}

// overGRPC makes workers push to the ledger over gRPC; supervisors report over HTTP.
func (r *rig) overGRPC(more ...string) []string {
	return append([]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://" + r.ledger.GRPC,
		"OTEL_EXPORTER_OTLP_PROTOCOL=grpc",
		"WORKERS_ENDPOINT=http://" + r.ledger.HTTP,
		"OTEL_METRIC_EXPORT_INTERVAL=200",
	}, more...)
}

// acknowledged waits until at least this much of a counter has been acknowledged.
func (r *rig) acknowledged(metric string, want int64) {
	r.t.Helper()
	harness.Eventually(r.t, func(context.Context) error {
		if got := r.ledger.Total(metric); got < want {
			return fmt.Errorf("of %s %d have been acknowledged, expected %d", metric, got, want)
		}
		return nil
	})
}

// shows waits until the collector's total is this, and is what it has acknowledged.
func (r *rig) shows(metric string, want int64) {
	r.t.Helper()
	harness.Eventually(r.t, func(context.Context) error {
		shown, books := r.watch.Last().Sum(prometheusName(metric), nil), r.ledger.Total(metric)
		if shown != float64(want) || books != want {
			return fmt.Errorf("%s is shown as %v, and %d have been acknowledged, expected %d", metric, shown, books, want)
		}
		return nil
	})
}

// exact waits until the collector shows what it has acknowledged, and returns it.
// The workers must have stopped counting.
func (r *rig) exact(metric string) int64 {
	r.t.Helper()
	want := r.ledger.Total(metric)
	r.shows(metric, want)
	return want
}

// folded waits until this many lives have been folded for a reason.
func (r *rig) folded(reason string, want int) {
	r.t.Helper()
	harness.Eventually(r.t, func(ctx context.Context) error {
		got, err := r.self(ctx, "otelcol_deadworkerretain_folds", map[string]string{"reason": reason})
		if err != nil {
			return err
		}
		if got != want {
			return fmt.Errorf("%d lives folded by reason %s, expected %d", got, reason, want)
		}
		return nil
	})
}

// stale waits until a life has been folded for its silence.
func (r *rig) stale() {
	r.t.Helper()
	r.atLeastOne("otelcol_deadworkerretain_folds", map[string]string{"reason": "stale"})
}

// returned waits until a life that was taken for dead has come back.
func (r *rig) returned() {
	r.t.Helper()
	r.atLeastOne("otelcol_deadworkerretain_returns", nil)
}

func (r *rig) atLeastOne(name string, labels map[string]string) {
	r.t.Helper()
	harness.Eventually(r.t, func(ctx context.Context) error {
		n, err := r.self(ctx, name, labels)
		if err == nil && n == 0 {
			err = fmt.Errorf("%s is 0, expected more", exposition.Key(name, labels))
		}
		return err
	})
}

// refusedOne waits until a push has been refused.
func (r *rig) refusedOne() {
	r.t.Helper()
	harness.Eventually(r.t, func(context.Context) error {
		if r.ledger.Refused() == 0 {
			return errors.New("no push has been refused")
		}
		return nil
	})
}

// self is one of the collector's own metrics, summed.
func (r *rig) self(ctx context.Context, name string, labels map[string]string) (int, error) {
	samples, err := exposition.Fetch(ctx, harness.MetricsURL(r.collector.Addr("self")))
	if err != nil {
		return 0, err
	}
	return int(samples.Sum(name, labels) + samples.Sum(name+"_total", labels)), nil
}

func prometheusName(metric string) string { return strings.ReplaceAll(metric, ".", "_") + "_total" }

// examples is a path under the directory of the recipes.
func examples(t *testing.T, path ...string) string {
	t.Helper()
	root, err := collector.Root()
	harness.Must(t, err)
	return filepath.Join(append([]string{root, "examples"}, path...)...)
}
