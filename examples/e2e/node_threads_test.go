package e2e

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/examples/e2e/recipe"
)

// pool is the recipe's pool of threads, which is told by line what to do.
type pool struct {
	t *testing.T
	*recipe.Process
	done int64 // jobs that have been done, and so been pushed
}

func startPool(t *testing.T, r *rig, threads string) *pool {
	t.Helper()
	p := &pool{t: t, Process: recipe.Start(t, recipe.Command{
		Dir: examples(t, "node-worker-threads"), Args: []string{"node", "main.js"}, Env: r.env("WORKERS=" + threads),
	})}
	p.Await(`"event":"start"`)
	return p
}

// give hands out a job and returns the thread that has it.
func (p *pool) give(job, kind string) string {
	p.t.Helper()
	before := len(p.Lines())
	p.Say(job)
	var given struct{ ID string }
	require.NoError(p.t, json.Unmarshal([]byte(p.AwaitAfter(before, `"event":"given"`, `"kind":"`+kind+`"`)), &given))
	return given.ID
}

// work has a job done.
func (p *pool) work() {
	p.t.Helper()
	before := len(p.Lines())
	id := p.give("work", "work")
	p.AwaitAfter(before, id, `"event":"done"`)
	p.done++
}

// die makes a thread die, and waits for the death and the replacement.
func (p *pool) die(kind, cause string) {
	p.t.Helper()
	before := len(p.Lines())
	id := p.give(kind, kind)
	p.AwaitAfter(before, id, `"event":"death"`, cause)
	p.AwaitAfter(before, `"event":"start"`)
}

func TestNodeThreadsDie(t *testing.T) {
	needNode(t)
	t.Parallel()
	r := newRig(t, never)
	p := startPool(t, r, "1")

	for i, death := range []struct{ kind, cause string }{
		{"throw", `"cause":"uncaught"`},
		{"exit", `"code":3`},
		{"oom", `"cause":"ERR_WORKER_OUT_OF_MEMORY"`},
		{"terminate", `"code":1`},
	} {
		p.work()
		r.shows("pool.jobs", p.done)
		p.die(death.kind, death.cause)
		r.folded("reported", i+1)
		r.exact("pool.jobs")
		// What the thread had counted since its last push is lost. The end of
		// its memory takes a while, in which the thread cannot push either.
		assert.Equal(t, p.done, r.ledger.Total("pool.jobs"), death.kind)
	}

	// A thread that returns takes nothing with it.
	p.work()
	p.die("return", `"code":0`)
	r.folded("goodbye", 1)
	r.shows("pool.jobs", p.done)

	p.work()
	p.Say("stop")
	require.Zero(t, p.Wait())
	r.folded("goodbye", 2)
	r.folded("reported", 4)
	r.lives(0)
	r.shows("pool.jobs", p.done)
}

// A thread that is held up for longer than staleness is taken for dead, and
// comes back: only what it counted meanwhile is added.
func TestNodeThreadBlocks(t *testing.T) {
	needNode(t)
	t.Parallel()
	r := newRig(t, shortly)
	p := startPool(t, r, "1")
	for range 3 {
		p.work()
	}
	r.shows("pool.jobs", 3)

	before := len(p.Lines())
	id := p.give("block 8000", "block")
	r.stale()
	r.shows("pool.jobs", 3)
	p.AwaitAfter(before, id, `"event":"done"`)
	r.shows("pool.jobs", 4)
	r.returned()
	p.work()
	r.shows("pool.jobs", 5)

	p.CloseInput()
	require.Zero(t, p.Wait())
	r.folded("goodbye", 1)
	r.shows("pool.jobs", 5)
}
