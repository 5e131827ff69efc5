package e2e

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
)

// A disk that takes nothing more: workers are counted as always, but no goodbye
// is acknowledged that a crash would lose. Once there is room everything is
// written, and a crash loses nothing.
func TestDiskFull(t *testing.T) {
	c := run(t, "default.yaml", nil, testPorts, testFlush, testScrape)
	worker := newPusher("http://"+c.Addr("http")).says("x-worker-id", "w1")
	leaving := newPusher("http://"+c.Addr("http")).says("x-worker-id", "w2", "x-worker-state", "terminated")
	start := time.Now().Add(-time.Second)
	require.Equal(t, http.StatusOK, worker.counts(t, start, 3).code)
	counted(t, c.Addr("prometheus"), 3)

	filesHoldAtMost(t, c, 1)
	require.Equal(t, http.StatusOK, worker.counts(t, start, 4).code)
	counted(t, c.Addr("prometheus"), 4)
	logs(t, c, "the storage failed: totals are kept in memory only")
	refused := leaving.counts(t, start, 10)
	assert.Equal(t, http.StatusServiceUnavailable, refused.code, refused.body)
	assert.Contains(t, refused.body, "file too large")
	counted(t, c.Addr("prometheus"), 14)

	filesHoldAtMost(t, c, unix.RLIM_INFINITY)
	logs(t, c, "the storage works again: the whole state was written")
	harness.Eventually(t, leaving.accepted(start, 10))
	require.NoError(t, c.Kill())
	require.NoError(t, c.Restart(harness.Context(t)))
	require.Equal(t, http.StatusOK, worker.counts(t, start, 5).code)
	counted(t, c.Addr("prometheus"), 15)
}

// filesHoldAtMost lets the collector write no file beyond this size, as if there
// was no more room on the disk.
func filesHoldAtMost(t *testing.T, c *collector.Collector, bytes uint64) {
	t.Helper()
	require.NoError(t, unix.Prlimit(c.PID(), unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: bytes, Max: unix.RLIM_INFINITY}, nil))
}

func logs(t *testing.T, c *collector.Collector, text string) {
	t.Helper()
	harness.Eventually(t, func(context.Context) error {
		if !c.Logs().Contains(text) {
			return errors.New("the log does not say: " + text)
		}
		return nil
	})
}
