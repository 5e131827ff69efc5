package e2e

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
	"github.com/otelcol-workers/otelcol-workers/examples/e2e/recipe"
)

func buildGoWorker(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("needs the built collector")
	}
	path := filepath.Join(t.TempDir(), "go-worker")
	build := exec.Command("go", "build", "-o", path, ".")
	build.Dir = examples(t, "go-worker")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	return path
}

func TestGoWorkers(t *testing.T) {
	t.Parallel()
	binary := buildGoWorker(t)
	r := newRig(t, never)
	start := func() *recipe.Process {
		return recipe.Start(t, recipe.Command{Args: []string{binary}, Env: r.overGRPC()})
	}

	told, done := start(), start()
	for range 5 {
		told.Say("a job")
	}
	done.Say("a job")
	told.Await("done:")
	done.Await("done:")
	done.CloseInput()
	require.Zero(t, done.Wait())
	assert.Equal(t, "terminated", r.state(lifeOf(t, r.ledger, done.PID())), "once the worker has ended, the collector knows")
	r.folded("goodbye", 1)
	r.acknowledged("mailer.jobs", 6)
	told.Signal(syscall.SIGTERM)
	require.Zero(t, told.Wait())
	r.folded("goodbye", 2)
	r.lives(0)
	r.shows("mailer.jobs", 6)
	for _, life := range r.ledger.Lives() {
		assert.Equal(t, 1, life.Goodbyes)
	}
}

// The collector is away when the worker ends. The worker waits for it.
func TestGoWorkerRepeatsItsGoodbye(t *testing.T) {
	t.Parallel()
	binary := buildGoWorker(t)
	r := newRig(t, never)
	p := recipe.Start(t, recipe.Command{Args: []string{binary}, Env: r.overGRPC()})
	p.Say("a job")
	r.shows("mailer.jobs", 1)
	r.ledger.Away(true)
	p.Say("a job")
	p.CloseInput()
	r.refusedOne()
	r.ledger.Away(false)
	require.Zero(t, p.Wait())
	r.folded("goodbye", 1)
	r.shows("mailer.jobs", 2)
}

// Over a connection of its own, the collector sees a worker die without a word
// from anybody. (Not through the ledger, whose connection lives on.)
func TestGoWorkerIsKilledAndItsConnectionTells(t *testing.T) {
	t.Parallel()
	binary := buildGoWorker(t)
	r := newRig(t, never,
		"receivers::workeragg::connection_liveness::enabled=true",
		"receivers::workeragg::connection_liveness::grace=100ms")
	p := recipe.Start(t, recipe.Command{Args: []string{binary}, Env: []string{
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://" + r.collector.Addr("grpc"),
		"OTEL_METRIC_EXPORT_INTERVAL=200",
	}})
	shown := func(want float64) {
		t.Helper()
		harness.Eventually(t, func(context.Context) error {
			if got := r.watch.Last().Sum("mailer_jobs_total", nil); got != want {
				return fmt.Errorf("mailer.jobs is shown as %v, expected %v", got, want)
			}
			return nil
		})
	}
	for range 4 {
		p.Say("a job")
	}
	shown(4)
	r.lives(1)
	killed := time.Now()
	p.Signal(syscall.SIGKILL)
	r.folded("connection_lost", 1)
	t.Logf("seen dead %v after SIGKILL, of which 100ms are grace", time.Since(killed))
	p.Wait()
	r.lives(0)
	shown(4)
}

// A worker that is stopped for longer than staleness, and then goes on.
func TestGoWorkerStalls(t *testing.T) {
	t.Parallel()
	binary := buildGoWorker(t)
	r := newRig(t, shortly)
	p := recipe.Start(t, recipe.Command{Args: []string{binary}, Env: r.overGRPC()})
	p.Say("a job")
	r.shows("mailer.jobs", 1)
	p.Signal(syscall.SIGSTOP)
	r.stale()
	r.shows("mailer.jobs", 1)
	p.Signal(syscall.SIGCONT)
	p.Say("a job")
	r.shows("mailer.jobs", 2)
	r.returned()
	p.CloseInput()
	require.Zero(t, p.Wait())
	r.shows("mailer.jobs", 2)
}
