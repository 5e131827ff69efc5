package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
	"github.com/otelcol-workers/otelcol-workers/examples/e2e/ledger"
	"github.com/otelcol-workers/otelcol-workers/examples/e2e/recipe"
)

func jsonPID(answer string) (int, error) {
	var a struct{ PID int }
	err := json.Unmarshal([]byte(answer), &a)
	return a.PID, err
}

func TestNodeCluster(t *testing.T) {
	needNode(t)
	for name, env := range map[string]func(*rig, ...string) []string{
		"http": (*rig).env,
		"grpc": (*rig).overGRPC,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, never)
			addr, port := freeAddr(t)
			primary := recipe.Start(t, recipe.Command{
				Dir: examples(t, "node-cluster"), Args: []string{"node", "server.js"},
				Env: env(r, "PORT="+port, "WORKERS=3"),
			})
			s := &site{t: t, url: "http://" + strings.Replace(addr, "127.0.0.1", "localhost", 1), pid: jsonPID}
			pids := s.meet(3)
			s.requests(20)
			r.shows("web.requests", s.sent)

			// Killed: the primary knows, and a new life begins in the same slot.
			old := lifeOf(t, r.ledger, pids[0])
			killed := time.Now()
			harness.Must(t, syscall.Kill(pids[0], syscall.SIGKILL))
			r.folded("reported", 1)
			t.Logf("seen dead %v after SIGKILL", time.Since(killed))
			primary.Await(old.ID, "ended: SIGKILL")
			r.shows("web.requests", s.sent)
			replacement := s.meet(1, pids...)[0]
			r.shows("web.requests", s.sent)
			assert.Equal(t, old.ID, lifeOf(t, r.ledger, replacement).ID, "the replacement has the slot's name")

			// The old life's goodbye comes late, and twice. Its replacement does not notice.
			for range 2 {
				r.goodbyeOf(old)
			}
			assert.Equal(t, "running", r.state(lifeOf(t, r.ledger, replacement)))
			r.lives(3)
			s.meet(1, pids...)
			r.shows("web.requests", s.sent)

			// Told to end: the worker says goodbye, the primary starts another.
			harness.Must(t, syscall.Kill(pids[1], syscall.SIGTERM))
			r.folded("goodbye", 1)
			s.meet(1, append(pids, replacement)...)
			r.shows("web.requests", s.sent)

			primary.Signal(syscall.SIGTERM)
			require.Zero(t, primary.Wait())
			r.folded("goodbye", 4)
			r.lives(0)
			r.shows("web.requests", s.sent)
		})
	}
}

// lifeOf is the life that has this process id.
func lifeOf(t *testing.T, l *ledger.Ledger, pid int) ledger.Life {
	t.Helper()
	var found ledger.Life
	harness.Eventually(t, func(context.Context) error {
		for _, life := range l.Lives() {
			if life.PID == pid {
				found = life
				return nil
			}
		}
		return fmt.Errorf("process %d has pushed nothing", pid)
	})
	return found
}
