package e2e

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
	"github.com/otelcol-workers/otelcol-workers/examples/e2e/recipe"
)

func TestGunicorn(t *testing.T) {
	need(t, "gunicorn", "apt-get install gunicorn")
	t.Parallel()
	r := newRig(t, never)
	addr, _ := freeAddr(t)
	master := recipe.Start(t, recipe.Command{
		Dir:  examples(t, "python-gunicorn"),
		Args: []string{"gunicorn", "--bind", addr, "--workers", "2", "app:app"},
		Env:  r.env("PYTHONDONTWRITEBYTECODE=1"),
	})
	s := &site{t: t, url: "http://" + addr + "/", pid: plainPID}
	pids := s.meet(2)
	s.requests(20)
	r.shows("web.requests", s.sent)
	r.lives(2)

	// Killed: the master sees its child exit.
	harness.Must(t, syscall.Kill(pids[0], syscall.SIGKILL))
	r.folded("reported", 1)
	r.shows("web.requests", s.sent)
	second := s.meet(1, pids...)[0]

	// What gunicorn does to a worker that takes too long: time for last words.
	harness.Must(t, syscall.Kill(pids[1], syscall.SIGABRT))
	r.folded("goodbye", 1)
	s.meet(1, append(pids, second)...)
	r.shows("web.requests", s.sent)
	r.lives(2)

	// A reload replaces all workers.
	master.Signal(syscall.SIGHUP)
	r.folded("goodbye", 3)
	r.shows("web.requests", s.sent)

	master.Signal(syscall.SIGTERM)
	require.Zero(t, master.Wait())
	r.folded("goodbye", 5)
	r.folded("reported", 1)
	r.lives(0)
	r.shows("web.requests", s.sent)
}
