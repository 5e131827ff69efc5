package workersdk

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// Reader collects and exports at an interval, as the SDK's PeriodicReader does,
// and says goodbye when it is shut down. It always exports cumulative values,
// so that a push that is lost or sent twice costs nothing. Its methods may be
// called concurrently.
//
// It stands on the SDK's ManualReader because a PeriodicReader cannot repeat a
// shutdown that failed, and exports nothing at all, not even at the end, when
// one callback of one instrument fails.
type Reader struct {
	*manualReader

	exporter sdkmetric.Exporter
	timeout  time.Duration

	// state is sent with every push; unannounced means none.
	state atomic.Int64

	stop    context.CancelFunc
	stopped chan struct{}

	// turn holds one token. Exporters need not bear concurrent calls, and
	// waiting for a channel can be given up when a context ends.
	turn chan struct{}
	// closed is guarded by turn.
	closed bool
}

// manualReader keeps the embedded field out of the package's surface.
type manualReader = sdkmetric.ManualReader

var _ sdkmetric.Reader = (*Reader)(nil)

// NewReader returns a reader that exports to exporter, by default every minute
// (OTEL_METRIC_EXPORT_INTERVAL). Give it to exactly one MeterProvider, by
// [sdkmetric.WithReader]. The reader owns the exporter and shuts it down.
func NewReader(exporter sdkmetric.Exporter, options ...Option) *Reader {
	c := newConfig(options)
	ctx, cancel := context.WithCancel(context.Background())
	r := &Reader{
		manualReader: sdkmetric.NewManualReader(append(c.reader,
			sdkmetric.WithTemporalitySelector(sdkmetric.CumulativeTemporalitySelector),
			sdkmetric.WithAggregationSelector(exporter.Aggregation))...),
		exporter: exporter,
		timeout:  c.timeout,
		stop:     cancel,
		stopped:  make(chan struct{}),
		turn:     make(chan struct{}, 1),
	}
	r.state.Store(unannounced)
	r.turn <- struct{}{}
	go r.run(ctx, c.interval)
	return r
}

func (r *Reader) run(ctx context.Context, interval time.Duration) {
	defer close(r.stopped)
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			if err := r.push(ctx); err != nil && ctx.Err() == nil {
				otel.Handle(err)
			}
		case <-ctx.Done():
			return
		}
	}
}

// ForceFlush pushes now. An error means that the push was not acknowledged or
// that a callback failed; what was collected has been sent all the same.
func (r *Reader) ForceFlush(ctx context.Context) error {
	if err := r.push(ctx); err != nil {
		return err
	}
	return r.exporter.ForceFlush(ctx)
}

func (r *Reader) push(ctx context.Context) error {
	ctx, cancel := r.withTimeout(ctx)
	defer cancel()
	if err := r.take(ctx); err != nil {
		return err
	}
	defer r.giveBack()
	if r.closed {
		return sdkmetric.ErrReaderShutdown
	}
	rm, collectErr := r.collect(ctx)
	if rm.Resource == nil {
		return collectErr
	}
	if state := r.state.Load(); state != unannounced {
		appendState(rm, state)
	}
	return errors.Join(collectErr, r.exporter.Export(ctx, rm))
}

// collect returns what there is even when a callback has failed; its resource
// is nil when there is nothing.
func (r *Reader) collect(ctx context.Context) (*metricdata.ResourceMetrics, error) {
	rm := new(metricdata.ResourceMetrics)
	err := r.Collect(ctx, rm)
	return rm, err
}

func (r *Reader) withTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, r.timeout, fmt.Errorf("workersdk: no answer within %v", r.timeout))
}

func (r *Reader) take(ctx context.Context) error {
	select {
	case <-r.turn:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (r *Reader) giveBack() { r.turn <- struct{}{} }
