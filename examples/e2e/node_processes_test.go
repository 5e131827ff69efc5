package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/examples/e2e/recipe"
)

func TestNodeChildProcesses(t *testing.T) {
	needNode(t)
	t.Parallel()
	r := newRig(t, never)
	run := func(env []string, args ...string) {
		t.Helper()
		p := recipe.Start(t, recipe.Command{
			Dir: examples(t, "node-child-process"), Args: append([]string{"node", "parent.js"}, args...), Env: env,
		})
		require.Zero(t, p.Wait())
	}

	// Each lives for 100 ms and pushes once.
	run(r.env(), "3")
	r.folded("goodbye", 3)
	r.lives(0)
	r.shows("jobs.runs", 3)
	for _, life := range r.ledger.Lives() {
		assert.Equal(t, 1, life.Pushes, "one push for everything")
	}

	run(r.overGRPC(), "1")
	run(r.env("OTEL_EXPORTER_OTLP_PROTOCOL=http/json"), "1")
	r.folded("goodbye", 5)
	r.shows("jobs.runs", 5)

	run(r.env(), "2", "crash")
	r.folded("goodbye", 6)
	r.folded("reported", 1)
	r.lives(0)
	r.shows("jobs.runs", 7)
}

// The collector is away when the job ends. The job waits for it.
func TestNodeChildProcessRepeatsItsGoodbye(t *testing.T) {
	needNode(t)
	t.Parallel()
	r := newRig(t, never)
	r.ledger.Away(true)
	p := recipe.Start(t, recipe.Command{
		Dir: examples(t, "node-child-process"), Args: []string{"node", "parent.js", "1"}, Env: r.env(),
	})
	r.refusedOne()
	r.ledger.Away(false)
	require.Zero(t, p.Wait())
	p.Await(`"code":0`)
	r.folded("goodbye", 1)
	r.shows("jobs.runs", 1)
}

// A job that hangs is killed by its parent, when its time is up.
func TestNodeChildProcessHangs(t *testing.T) {
	needNode(t)
	t.Parallel()
	r := newRig(t, never)
	p := recipe.Start(t, recipe.Command{
		Dir: examples(t, "node-child-process"), Args: []string{"node", "parent.js", "1", "hang"},
		Env: r.env("JOB_TIMEOUT=10000"),
	})
	r.acknowledged("jobs.runs", 1)
	require.Zero(t, p.Wait())
	p.Await(`"signal":"SIGKILL"`)
	r.folded("reported", 1)
	r.shows("jobs.runs", 1)
}

// The parent is the only worker, and counts also what a killed job had done.
func TestNodeDelegation(t *testing.T) {
	needNode(t)
	t.Parallel()
	r := newRig(t, never)
	p := recipe.Start(t, recipe.Command{
		Dir: examples(t, "node-delegation"), Args: []string{"node", "parent.js", "3", "crash"}, Env: r.env(),
	})
	require.Zero(t, p.Wait())
	r.folded("goodbye", 1)
	r.lives(0)
	r.shows("delegation.runs", 3)
	r.shows("delegation.rows", 2*300+200)
	assert.Len(t, r.ledger.Lives(), 1)
	assert.Equal(t, 1.0, r.watch.Last().Sum("delegation_runs_total", map[string]string{"outcome": "SIGKILL"}))
}
