package workersdk

import (
	"context"
	"errors"
	"fmt"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
)

// ErrNotAcknowledged is what [Reader.Shutdown] returns, wrapped around the
// reason, when nobody has confirmed the goodbye. The last values may or may not
// have arrived. Shutdown can be called again: a repeated goodbye counts once.
var ErrNotAcknowledged = errors.New("workersdk: goodbye not acknowledged")

// Shutdown stops the periodic pushes and sends the last values together with
// the goodbye. Nil means that the push was acknowledged; the exporter has then
// been shut down, and calling Shutdown again changes nothing and returns nil.
//
// When the error is [ErrNotAcknowledged], the exporter is still open: call
// Shutdown again to repeat, with the values as they are by then, or [Reader.Close]
// to give up. Call it on the reader, since MeterProvider.Shutdown works only once.
// Other errors, such as that of a failed callback, come with a goodbye that was
// acknowledged.
//
// Without a deadline in ctx, the timeout of [WithTimeout] holds. A collector
// that could apply only part of the push makes most exporters return an error;
// that is reported as not acknowledged.
func (r *Reader) Shutdown(ctx context.Context) error {
	ctx, cancel := r.withTimeout(ctx)
	defer cancel()
	if err := r.stopPushing(ctx); err != nil {
		return fmt.Errorf("%w: %w", ErrNotAcknowledged, err)
	}
	defer r.giveBack()
	if r.closed {
		return nil
	}
	rm, collectErr := r.collect(ctx)
	if errors.Is(collectErr, sdkmetric.ErrReaderNotRegistered) {
		return r.release(ctx)
	}
	if rm.Resource == nil {
		return fmt.Errorf("%w: %w", ErrNotAcknowledged, collectErr)
	}
	appendState(rm, terminated)
	if err := r.exporter.Export(ctx, rm); err != nil {
		return fmt.Errorf("%w: %w", ErrNotAcknowledged, err)
	}
	return errors.Join(collectErr, r.release(ctx))
}

// Close stops the periodic pushes and shuts the exporter down without another
// push and without a goodbye, so that the worker is taken for dead once it has
// been silent for long enough. It is for a worker that gives up on Shutdown,
// and for one that goes on elsewhere.
func (r *Reader) Close(ctx context.Context) error {
	ctx, cancel := r.withTimeout(ctx)
	defer cancel()
	if err := r.stopPushing(ctx); err != nil {
		return err
	}
	defer r.giveBack()
	if r.closed {
		return nil
	}
	return r.release(ctx)
}

// stopPushing ends the periodic pushes, cancels the one under way and takes the turn.
func (r *Reader) stopPushing(ctx context.Context) error {
	r.stop()
	select {
	case <-r.stopped:
		return r.take(ctx)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (r *Reader) release(ctx context.Context) error {
	r.closed = true
	return errors.Join(r.manualReader.Shutdown(ctx), r.exporter.Shutdown(ctx))
}
