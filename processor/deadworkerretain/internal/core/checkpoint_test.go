package core

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// A checkpoint writes what has changed: at first everything, then of a worker
// that pushed what it has counted, and of its series what they have; names and
// attributes again only when a series or a stream comes or goes.
func TestACheckpointWritesWhatHasChanged(t *testing.T) {
	r := newRig(testOptions())
	r.apply(soundPush(0, r.now))
	r.apply(soundPush(2, r.now))
	require.Equal(t, []string{"f", "l", "lv", "meta", "s", "sv"}, r.written())

	r.wait(time.Second)
	require.Equal(t, []string{"meta"}, r.written(), "nobody pushed")

	r.apply(soundPush(0, r.now))
	require.Equal(t, []string{"lv", "meta", "sv"}, r.written(), "a worker pushed what it had pushed before")

	r.wait(time.Second)
	r.apply(soundPush(1, r.now))
	require.Equal(t, []string{"f", "l", "lv", "meta", "s", "sv"}, r.written(), "a new worker with series of its own")

	lost := r.table.BeginFlush(r.now, r.next)
	for lost.Step() {
	}
	lost.Checkpoint().Writes()
	lost.Checkpoint().Lost()
	require.Equal(t, []string{"f", "l", "lv", "meta", "s", "sv"}, r.written(), "the last one could not be written")
}

// Records of closed runs go with their span, also those from before a checkpoint
// that was lost, after which all runs share one record again.
func TestNoRecordOfClosedRunsIsLeft(t *testing.T) {
	r := newRig(testOptions())
	r.opt.MaxTombstones = 1
	closeOne := func(worker int64) {
		r.apply(soundPush(worker, r.now))
		r.apply(signal(soundPush(worker, r.now), lifecycle.Signal{State: lifecycle.Terminated}))
		r.wait(time.Second)
	}
	left := func() (n int) {
		for key := range r.disk {
			if strings.Contains(key, "/c/") {
				n++
			}
		}
		return n
	}
	for worker := range int64(4) {
		closeOne(worker)
		r.flush()
	}
	require.Greater(t, left(), 1)

	lost := r.table.BeginFlush(r.now, r.next)
	for lost.Step() {
	}
	lost.Checkpoint().Writes()
	lost.Checkpoint().Lost()
	for range 3 {
		r.wait(26 * time.Hour)
		r.sweep()
		r.flush()
	}
	require.Zero(t, left())
}

// written flushes, and says which kinds of records that wrote.
func (r *rig) written() []string {
	f := r.table.BeginFlush(r.now, r.next)
	for f.Step() {
	}
	kinds := map[string]bool{}
	writes := f.Checkpoint().Writes()
	r.disk.write(writes)
	for _, w := range writes {
		kind := w.Key
		if parts := strings.Split(w.Key, "/"); len(parts) > 1 {
			kind = parts[1]
		}
		kinds[kind] = true
	}
	return slices.Sorted(maps.Keys(kinds))
}
