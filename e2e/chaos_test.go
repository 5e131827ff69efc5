package e2e

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
	"github.com/otelcol-workers/otelcol-workers/e2e/monotone"
)

const chaosConfig = `
receivers:
  workeragg:
    protocols:
      grpc: {endpoint: '{{addr "grpc"}}'}
processors:
  deadworkerretain:
    stale_after: 2s
    flush_interval: 250ms
    storage: file_storage
exporters:
  prometheus:
    endpoint: '{{addr "prometheus"}}'
    resource_constant_labels: {included: ["*"]}
extensions:
  file_storage: {directory: '{{dir}}/state', create_directory: true, fsync: true}
service:
  extensions: [file_storage]
  pipelines:
    metrics: {receivers: [workeragg], processors: [deadworkerretain], exporters: [prometheus]}
  telemetry:
    metrics:
      readers:
        - pull: {exporter: {prometheus: {host: 127.0.0.1, port: {{port "self"}}}}}
`

// killsPerRound is how often the collector dies between two times that all is
// quiet and the totals are looked at.
const killsPerRound = 5

// The collector is killed at random moments while workers count, push, say
// goodbye and are replaced. Nothing that was shown is ever undercut, and when
// the living have pushed again all totals are exact.
//
// CHAOS_KILLS says how often (10; `make chaos`: 60), CHAOS_SEED when.
func TestChaos(t *testing.T) {
	kills, seed := int(number(t, "CHAOS_KILLS", 10)), number(t, "CHAOS_SEED", 1)
	c := harness.Collector(t, collector.Options{Config: chaosConfig})
	watch := harness.Watch(t, c.Addr("prometheus"), 20*time.Millisecond)
	random := newRand(seed, math.MaxInt)
	book := newLedger()
	t.Cleanup(book.killAll)
	var slots []*slot
	for _, s := range newSlots(c, book, seed) {
		// The HTTP exporter of the SDK does not try again when nobody listens.
		if !s.kind.http {
			slots = append(slots, s)
			require.NoError(t, s.open(harness.Context(t)))
		}
	}
	for killed := 0; killed < kills; killed += killsPerRound {
		load := startLoad(t, slots)
		for range killsPerRound {
			crash(t, c, random)
		}
		require.NoError(t, load.stop(), "after %d kills of seed %d", killed, seed)
		for _, s := range slots {
			require.NoError(t, s.worker.Push(harness.Context(t)))
		}
		harness.Eventually(t, func(ctx context.Context) error { return book.check(ctx, c) })
		// What is shown is on disk, so that these deaths lose nothing.
		for _, i := range random.Perm(len(slots))[:2] {
			s := slots[i]
			require.NoError(t, s.end(harness.Context(t), s.worker, kill))
			require.NoError(t, s.open(harness.Context(t)))
		}
	}
	restartsExactly(t, c, slots, book)

	// An acknowledged goodbye is on disk, whatever happens right after it.
	for _, s := range slots {
		require.NoError(t, s.close(harness.Context(t)))
	}
	require.NoError(t, c.Kill())
	require.NoError(t, c.Restart(harness.Context(t)))
	harness.Eventually(t, func(ctx context.Context) error { return book.check(ctx, c) })

	report := watch.Stop()
	assert.Empty(t, lower(report.Falls))
	t.Logf("seed %d: collector killed %d times; %s; %d scrapes and %d while it was away, %d rises",
		seed, kills+1, book, report.Scrapes, report.Failed, report.Rises)
}

// crash kills the collector at some moment of the next half second, and starts it again.
func crash(t *testing.T, c *collector.Collector, random *rand.Rand) {
	t.Helper()
	time.Sleep(time.Duration(random.Int64N(int64(500 * time.Millisecond))))
	require.NoError(t, c.Kill())
	require.NoError(t, c.Restart(harness.Context(t)))
}

// restartsExactly stops the collector with SIGTERM. Started again it shows the
// same totals at once, while no worker can push.
func restartsExactly(t *testing.T, c *collector.Collector, slots []*slot, book *ledger) {
	t.Helper()
	harness.Eventually(t, func(ctx context.Context) error { return book.check(ctx, c) })
	for _, s := range slots {
		require.NoError(t, s.worker.Stall())
	}
	require.NoError(t, c.Stop(harness.Context(t)))
	require.NoError(t, c.Restart(harness.Context(t)))
	harness.Eventually(t, func(ctx context.Context) error { return book.checkTotals(ctx, c) })
	for _, s := range slots {
		require.NoError(t, s.worker.Resume())
	}
}

// load is workers at work.
type load struct {
	group    *errgroup.Group
	stopping atomic.Bool
}

func startLoad(t *testing.T, slots []*slot) *load {
	group, ctx := errgroup.WithContext(harness.Context(t))
	l := &load{group: group}
	for _, s := range slots {
		group.Go(func() error {
			for !l.stopping.Load() {
				if err := s.serve(ctx, s.worker); err != nil {
					return err
				}
				if s.rand.IntN(5) > 0 {
					continue
				}
				if err := s.end(ctx, s.worker, goodbye); err != nil {
					return err
				}
				if err := s.open(ctx); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return l
}

// stop returns when nothing is under way any more.
func (l *load) stop() error {
	l.stopping.Store(true)
	return l.group.Wait()
}

// lower leaves out the falls to nothing: a collector that has just started
// shows nothing until its first flush. What it shows then must not be lower.
func lower(falls []monotone.Fall) []monotone.Fall {
	return slices.DeleteFunc(falls, func(f monotone.Fall) bool { return math.IsNaN(f.To) })
}

// number reads an environment variable.
func number(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	text, ok := os.LookupEnv(name)
	if !ok {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	require.NoError(t, err, name)
	return n
}
