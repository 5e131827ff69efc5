package workersdk

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

func TestPushesAtItsInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorker(t, WithInterval(10*time.Second))
		w.jobs.Add(t.Context(), 3)
		time.Sleep(9 * time.Second)
		synctest.Wait()
		assert.Empty(t, w.seen())
		time.Sleep(2 * time.Second)
		w.jobs.Add(t.Context(), 4)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		assert.Equal(t, []push{
			{jobs: 3, state: unannounced, name: "shop"},
			{jobs: 7, state: unannounced, name: "shop"},
		}, w.seen(), "cumulative, although the exporter asks for deltas")
		require.NoError(t, w.provider.Shutdown(t.Context()))
	})
}

func TestPeriodicErrorsReachTheHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		handled := make(chan error, 1)
		otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { handled <- err }))
		defer otel.SetErrorHandler(otel.ErrorHandlerFunc(func(error) {}))
		w := newWorker(t, WithInterval(time.Second))
		w.answers(errRefused)
		require.ErrorIs(t, <-handled, errRefused)
		w.answers(nil)
		require.NoError(t, w.provider.Shutdown(t.Context()))
	})
}

func TestFailingCallbackHoldsNothingBack(t *testing.T) {
	w := newWorker(t)
	errBroken := errors.New("broken callback")
	_, err := w.meter.Int64ObservableCounter("broken", metric.WithInt64Callback(
		func(context.Context, metric.Int64Observer) error { return errBroken }))
	require.NoError(t, err)

	w.jobs.Add(t.Context(), 1)
	require.ErrorIs(t, w.provider.ForceFlush(t.Context()), errBroken)
	w.jobs.Add(t.Context(), 1)
	err = w.provider.Shutdown(t.Context())
	require.ErrorIs(t, err, errBroken)
	require.NotErrorIs(t, err, ErrNotAcknowledged)

	assert.Equal(t, []push{
		{jobs: 1, state: unannounced, name: "shop"},
		{jobs: 2, state: terminated, last: true, name: "shop"},
	}, w.seen())
	assert.Equal(t, 1, w.shutdowns)
}

func TestOnePushAtATime(t *testing.T) {
	w := &worker{recorder: &recorder{entered: make(chan struct{}), hold: make(chan struct{})}}
	w.start(t)
	done := make(chan error, 2)
	for range 2 {
		go func() { done <- w.provider.ForceFlush(context.Background()) }()
	}
	<-w.entered
	select {
	case <-w.entered:
		t.Fatal("two Export calls at once")
	case w.hold <- struct{}{}:
	}
	<-w.entered
	w.hold <- struct{}{}
	require.NoError(t, <-done)
	require.NoError(t, <-done)
	assert.Equal(t, 2, w.flushes)
	require.NoError(t, w.reader.Close(t.Context()))
}

func TestWaitingForATurnEndsWithTheContext(t *testing.T) {
	w := &worker{recorder: &recorder{entered: make(chan struct{}), hold: make(chan struct{})}}
	w.start(t)
	done := make(chan error, 1)
	go func() { done <- w.provider.ForceFlush(context.Background()) }()
	<-w.entered
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, w.reader.ForceFlush(ctx), context.Canceled)
	require.ErrorIs(t, w.reader.Shutdown(ctx), ErrNotAcknowledged)
	require.ErrorIs(t, w.reader.Close(ctx), context.Canceled)
	w.hold <- struct{}{}
	require.NoError(t, <-done)
	require.NoError(t, w.reader.Close(t.Context()))
}

func TestAPushThatHangsEndsAtTheTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &worker{recorder: &recorder{entered: make(chan struct{}, 9), hold: make(chan struct{})}}
		w.start(t, WithTimeout(2*time.Second))
		began := time.Now()
		require.ErrorContains(t, w.provider.ForceFlush(t.Context()), "no answer within 2s")
		assert.Equal(t, 2*time.Second, time.Since(began))
		require.NoError(t, w.reader.Close(t.Context()))
	})
}

type fixedProducer struct{}

func (fixedProducer) Produce(context.Context) ([]metricdata.ScopeMetrics, error) {
	return []metricdata.ScopeMetrics{{Metrics: []metricdata.Metrics{{
		Name: "jobs",
		Data: metricdata.Sum[int64]{
			Temporality: metricdata.CumulativeTemporality, IsMonotonic: true,
			DataPoints: []metricdata.DataPoint[int64]{{Value: 42}},
		},
	}}}}, nil
}

func TestReaderOptionsReachTheSDK(t *testing.T) {
	w := newWorker(t, WithReaderOptions(sdkmetric.WithProducer(fixedProducer{})))
	require.NoError(t, w.provider.Shutdown(t.Context()))
	assert.Equal(t, []push{{jobs: 42, state: terminated, last: true, name: "shop"}}, w.seen())
}
