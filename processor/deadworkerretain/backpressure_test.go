package deadworkerretain_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain"
	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/memstorage"
)

// TestDownstreamBlocks has a consumer that takes nothing for hours, while many
// more workers come and die than may live at once. All are counted, and when the
// consumer wakes up the next output says so.
func TestDownstreamBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slowSink{}
		p := started(t, s, nil, func(c *deadworkerretain.Config) { c.MaxWorkers, c.MaxTombstones = 20, 30 })
		s.block()
		const workers = 500
		for i := range workers {
			require.NoError(t, p.ConsumeMetrics(t.Context(), counting(i, 1, false)), "worker %d", i)
			time.Sleep(20 * time.Second)
		}
		require.Equal(t, 1, s.begun(), "no more than one output is under way")
		s.unblock()
		time.Sleep(2 * flushEvery)
		require.EqualValues(t, workers, s.last())
		require.NoError(t, p.Shutdown(t.Context()))
	})
}

// TestDownstreamRefuses is the same with a consumer that answers with errors.
func TestDownstreamRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slowSink{}
		p := started(t, s, nil, nil)
		s.refuse(errors.New("queue is full"))
		for i := range 100 {
			require.NoError(t, p.ConsumeMetrics(t.Context(), counting(i, 1, i%2 == 0)))
			time.Sleep(20 * time.Second)
		}
		require.Zero(t, s.last())
		s.refuse(nil)
		time.Sleep(2 * flushEvery)
		require.EqualValues(t, 100, s.last())
		require.NoError(t, p.Shutdown(t.Context()))
	})
}

// TestDownstreamIsSlow has every output take longer than the interval: they come
// one by one, in order, and the last one is exact.
func TestDownstreamIsSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const takes = 7 * flushEvery / 2
		s := &slowSink{takes: takes}
		p := started(t, s, nil, nil)
		for i := range 60 {
			require.NoError(t, p.ConsumeMetrics(t.Context(), counting(0, int64(i), false)))
			time.Sleep(flushEvery)
		}
		time.Sleep(2 * takes)
		require.EqualValues(t, 59, s.last())
		require.Equal(t, 1, s.most, "one at a time")
		require.IsIncreasing(t, s.times)
		s.delay(0)
		time.Sleep(4 * flushEvery)
		require.NoError(t, p.Shutdown(t.Context()))
	})
}

// TestShutdownFlushesLast: what was pushed last is put out, without waiting for
// the interval, whatever was under way.
func TestShutdownFlushesLast(t *testing.T) {
	for name, stuck := range map[string]bool{"quiet": false, "an output is stuck": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &slowSink{}
				p := started(t, s, nil, nil)
				require.NoError(t, p.ConsumeMetrics(t.Context(), counting(0, 1, false)))
				time.Sleep(2 * flushEvery)
				if stuck {
					s.block()
					time.Sleep(2 * flushEvery)
				}
				require.NoError(t, p.ConsumeMetrics(t.Context(), counting(0, 5, false)))
				began := time.Now()
				go s.unblock()
				require.NoError(t, p.Shutdown(t.Context()))
				require.EqualValues(t, 5, s.last())
				require.Zero(t, time.Since(began), "nothing to wait for")
			})
		})
	}
}

// TestShutdownDoesNotWaitForEver: a consumer that takes nothing, even one that
// does not heed its context, delays a shutdown by seconds; and what it does not
// take is on disk.
func TestShutdownDoesNotWaitForEver(t *testing.T) {
	for name, deaf := range map[string]bool{"heeds its context": false, "heeds nothing": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				disk := memstorage.New()
				s := &slowSink{deaf: deaf}
				p := started(t, s, disk, nil)
				s.block()
				require.NoError(t, p.ConsumeMetrics(t.Context(), counting(0, 1, false)))
				time.Sleep(2 * flushEvery)
				require.NoError(t, p.ConsumeMetrics(t.Context(), counting(0, 7, false)))
				began := time.Now()
				require.Error(t, p.Shutdown(t.Context()))
				require.LessOrEqual(t, time.Since(began), 10*time.Second)
				s.unblock()

				after := &slowSink{}
				p = started(t, after, disk, nil)
				time.Sleep(2 * flushEvery)
				require.EqualValues(t, 7, after.last())
				require.NoError(t, p.Shutdown(t.Context()))
			})
		})
	}
}
