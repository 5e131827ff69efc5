package workersdk

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errRefused = errors.New("refused")

// push is what one Export call carried.
type push struct {
	jobs   int64 // value of the counter "jobs"; -1: not there
	state  int64 // value of worker.state; unannounced: not there
	last   bool  // the state was behind all data
	name   string
	answer error
}

// recorder is an exporter that keeps what it is given and answers what it is told.
type recorder struct {
	mu        sync.Mutex
	pushes    []push
	answer    error
	shutdowns int
	flushes   int
	// entered and hold, if set, let a test stop an Export in its middle.
	entered chan struct{}
	hold    chan struct{}
}

func (e *recorder) Temporality(sdkmetric.InstrumentKind) metricdata.Temporality {
	return metricdata.DeltaTemporality
}

func (e *recorder) Aggregation(k sdkmetric.InstrumentKind) sdkmetric.Aggregation {
	return sdkmetric.DefaultAggregationSelector(k)
}

func (e *recorder) Export(ctx context.Context, rm *metricdata.ResourceMetrics) error {
	if e.hold != nil {
		e.entered <- struct{}{}
		select {
		case <-e.hold:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	p := push{jobs: -1, state: unannounced, answer: e.answer}
	if name, ok := rm.Resource.Set().Value("service.name"); ok {
		p.name = name.AsString()
	}
	for _, sm := range rm.ScopeMetrics {
		for _, m := range sm.Metrics {
			p.last = false
			switch data := m.Data.(type) {
			case metricdata.Sum[int64]:
				if m.Name == "jobs" && data.Temporality == metricdata.CumulativeTemporality {
					p.jobs = data.DataPoints[0].Value
				}
			case metricdata.Gauge[int64]:
				if m.Name == "worker.state" {
					p.state, p.last = data.DataPoints[0].Value, true
				}
			}
		}
	}
	e.pushes = append(e.pushes, p)
	return e.answer
}

func (e *recorder) ForceFlush(context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flushes++
	return nil
}

func (e *recorder) Shutdown(context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.shutdowns++
	return nil
}

func (e *recorder) answers(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.answer = err
}

func (e *recorder) seen() []push {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]push(nil), e.pushes...)
}

// worker is a provider with one counter on a reader under test.
type worker struct {
	*recorder
	reader   *Reader
	provider *sdkmetric.MeterProvider
	meter    metric.Meter
	jobs     metric.Int64Counter
}

func newWorker(t *testing.T, options ...Option) *worker {
	t.Helper()
	w := &worker{recorder: &recorder{}}
	w.start(t, options...)
	return w
}

func (w *worker) start(t *testing.T, options ...Option) {
	t.Helper()
	w.reader = NewReader(w.recorder, options...)
	w.provider = sdkmetric.NewMeterProvider(
		sdkmetric.WithResource(Resource(attribute.String("service.name", "shop"))),
		sdkmetric.WithReader(w.reader))
	w.meter = w.provider.Meter("test")
	var err error
	w.jobs, err = w.meter.Int64Counter("jobs")
	require.NoError(t, err)
}
