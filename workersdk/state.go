package workersdk

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/sdk/instrumentation"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// The values of the worker.state gauge.
const (
	unannounced = -1
	running     = 0
	quiet       = 1
	terminated  = 2
)

// Announce pushes now and says that the worker runs, so that the collector
// knows it before it has counted anything; from here on every push says so
// again. Announce can be called at any time as a heartbeat. Without it, every
// push still counts as a sign of life.
//
// The reader must have been given to a MeterProvider. On error the push was not
// acknowledged; the next one repeats it.
func (r *Reader) Announce(ctx context.Context) error {
	r.state.CompareAndSwap(unannounced, running)
	return r.ForceFlush(ctx)
}

// Quiet pushes now and says that the worker lives but takes no new work; from
// here on every push says so again. It is shown, and changes no total. On error
// the push was not acknowledged; the next one repeats it.
func (r *Reader) Quiet(ctx context.Context) error {
	r.state.Store(quiet)
	return r.ForceFlush(ctx)
}

// appendState puts the state behind the data of rm: the collector applies a
// request's data first and then its signal.
func appendState(rm *metricdata.ResourceMetrics, state int64) {
	rm.ScopeMetrics = append(rm.ScopeMetrics, metricdata.ScopeMetrics{
		Scope: instrumentation.Scope{Name: "github.com/otelcol-workers/otelcol-workers/workersdk"},
		Metrics: []metricdata.Metrics{{
			Name:        "worker.state",
			Description: "0 running, 1 quiet, 2 terminated",
			Data: metricdata.Gauge[int64]{
				DataPoints: []metricdata.DataPoint[int64]{{Time: time.Now(), Value: state}},
			},
		}},
	})
}
