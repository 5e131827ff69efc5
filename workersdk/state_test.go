package workersdk

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStatesStayUntilTheNextOne(t *testing.T) {
	w := newWorker(t)
	ctx := t.Context()
	require.NoError(t, w.reader.ForceFlush(ctx))
	require.NoError(t, w.reader.Announce(ctx))
	require.NoError(t, w.reader.ForceFlush(ctx))
	require.NoError(t, w.reader.Quiet(ctx))
	require.NoError(t, w.reader.Announce(ctx))
	require.NoError(t, w.reader.Shutdown(ctx))
	var states []int64
	for _, p := range w.seen() {
		states = append(states, p.state)
	}
	assert.Equal(t, []int64{unannounced, running, running, quiet, quiet, terminated}, states,
		"states of one life only move forward")
}

func TestRefusedQuietIsSaidAgain(t *testing.T) {
	w := newWorker(t)
	w.answers(errRefused)
	require.ErrorIs(t, w.reader.Quiet(t.Context()), errRefused)
	w.answers(nil)
	require.NoError(t, w.reader.ForceFlush(t.Context()))
	seen := w.seen()
	assert.Equal(t, int64(quiet), seen[len(seen)-1].state)
	require.NoError(t, w.reader.Close(t.Context()))
}
