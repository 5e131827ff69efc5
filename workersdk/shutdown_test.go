package workersdk

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
)

func TestShutdownSendsSwanSongAndGoodbyeInOne(t *testing.T) {
	w := newWorker(t)
	w.jobs.Add(t.Context(), 3)
	require.NoError(t, w.provider.ForceFlush(t.Context()))
	w.jobs.Add(t.Context(), 4)
	require.NoError(t, w.provider.Shutdown(t.Context()))
	assert.Equal(t, []push{
		{jobs: 3, state: unannounced, name: "shop"},
		{jobs: 7, state: terminated, last: true, name: "shop"},
	}, w.seen())
	assert.Equal(t, 1, w.shutdowns)
}

func TestShutdownOfAWorkerThatCountedNothing(t *testing.T) {
	w := newWorker(t)
	require.NoError(t, w.provider.Shutdown(t.Context()))
	assert.Equal(t, []push{{jobs: -1, state: terminated, last: true, name: "shop"}}, w.seen())
}

func TestShutdownIsIdempotent(t *testing.T) {
	w := newWorker(t)
	require.NoError(t, w.provider.Shutdown(t.Context()))
	require.NoError(t, w.reader.Shutdown(t.Context()))
	require.NoError(t, w.reader.Close(t.Context()))
	require.ErrorIs(t, w.provider.Shutdown(t.Context()), sdkmetric.ErrReaderShutdown)
	require.ErrorIs(t, w.reader.ForceFlush(t.Context()), sdkmetric.ErrReaderShutdown)
	assert.Len(t, w.seen(), 1)
	assert.Equal(t, 1, w.shutdowns)
}

func TestConcurrentShutdownsSayGoodbyeOnce(t *testing.T) {
	w := newWorker(t)
	w.jobs.Add(t.Context(), 1)
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() { assert.NoError(t, w.reader.Shutdown(context.Background())) })
	}
	all.Wait()
	assert.Equal(t, []push{{jobs: 1, state: terminated, last: true, name: "shop"}}, w.seen())
	assert.Equal(t, 1, w.shutdowns)
}

func TestRefusedGoodbyeCanBeRepeated(t *testing.T) {
	w := newWorker(t)
	w.answers(errRefused)
	w.jobs.Add(t.Context(), 1)
	err := w.provider.Shutdown(t.Context())
	require.ErrorIs(t, err, ErrNotAcknowledged)
	require.ErrorIs(t, err, errRefused)
	assert.Zero(t, w.shutdowns, "the exporter stays open for the next try")

	w.answers(nil)
	w.jobs.Add(t.Context(), 1)
	require.NoError(t, w.reader.Shutdown(t.Context()))
	assert.Equal(t, []push{
		{jobs: 1, state: terminated, last: true, name: "shop", answer: errRefused},
		{jobs: 2, state: terminated, last: true, name: "shop"},
	}, w.seen())
	assert.Equal(t, 1, w.shutdowns)
}

func TestShutdownWithADeadContextCanBeRepeated(t *testing.T) {
	w := newWorker(t)
	w.jobs.Add(t.Context(), 5)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := w.provider.Shutdown(ctx)
	require.ErrorIs(t, err, ErrNotAcknowledged)
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, w.reader.Shutdown(t.Context()))
	assert.Equal(t, []push{{jobs: 5, state: terminated, last: true, name: "shop"}}, w.seen())
}

func TestNoPeriodicPushAfterAFailedShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorker(t, WithInterval(time.Second))
		w.answers(errRefused)
		require.ErrorIs(t, w.provider.Shutdown(t.Context()), errRefused)
		time.Sleep(time.Minute)
		assert.Len(t, w.seen(), 1)
		require.NoError(t, w.reader.Close(t.Context()))
		assert.Equal(t, 1, w.shutdowns)
	})
}

func TestShutdownCutsOffAPeriodicPushThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &worker{recorder: &recorder{entered: make(chan struct{}, 9), hold: make(chan struct{})}}
		w.start(t, WithInterval(time.Second), WithTimeout(time.Hour))
		<-w.entered
		began := time.Now()
		done := make(chan error, 1)
		go func() { done <- w.provider.Shutdown(context.Background()) }()
		<-w.entered // the goodbye, while the periodic push never ended by itself
		w.hold <- struct{}{}
		require.NoError(t, <-done)
		assert.Zero(t, time.Since(began))
		assert.Equal(t, []push{{jobs: -1, state: terminated, last: true, name: "shop"}}, w.seen())
	})
}

func TestCloseSaysNothing(t *testing.T) {
	w := newWorker(t)
	w.jobs.Add(t.Context(), 1)
	require.NoError(t, w.reader.Close(t.Context()))
	require.NoError(t, w.provider.Shutdown(t.Context()))
	assert.Empty(t, w.seen())
	assert.Equal(t, 1, w.shutdowns)
}

func TestReaderThatWasNeverUsed(t *testing.T) {
	exporter := &recorder{}
	reader := NewReader(exporter)
	require.ErrorIs(t, reader.ForceFlush(t.Context()), sdkmetric.ErrReaderNotRegistered)
	require.NoError(t, reader.Shutdown(t.Context()))
	assert.Empty(t, exporter.seen())
	assert.Equal(t, 1, exporter.shutdowns)
}
