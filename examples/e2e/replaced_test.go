package e2e

import (
	"net/http"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/examples/e2e/recipe"
)

// A worker stalls, another takes its name, and the old one wakes up, counts on,
// and says goodbye with its last values. All that both have counted counts, and
// the new one lives on.
func TestOldLifeEndsAfterItsReplacementHasStarted(t *testing.T) {
	for name, staleAfter := range map[string]string{
		"before the collector has noticed that it stalled": never,
		"after it was taken for dead":                      shortly,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			binary := buildGoWorker(t)
			r := newRig(t, staleAfter)
			start := func() *recipe.Process {
				return recipe.Start(t, recipe.Command{
					Args: []string{binary}, Env: r.overGRPC("OTEL_RESOURCE_ATTRIBUTES=worker.id=host/mailer-1"),
				})
			}
			old := start()
			old.Say("a job")
			old.Say("a job")
			r.shows("mailer.jobs", 2)
			old.Signal(syscall.SIGSTOP)
			if staleAfter != never {
				r.stale()
			}

			replacement := start()
			replacement.Say("a job")
			r.shows("mailer.jobs", 3)
			if staleAfter != never {
				// A heartbeat in its name tells it so, if it asks before it pushes.
				code, answer := r.put(lifeOf(t, r.ledger, old.PID()), "running", "")
				assert.Equal(t, http.StatusConflict, code)
				assert.Contains(t, answer, lifeOf(t, r.ledger, replacement.PID()).Incarnation)
			}

			old.Signal(syscall.SIGCONT)
			old.Say("a job")
			old.AwaitN(3, "done:")
			old.Signal(syscall.SIGTERM)
			require.Zero(t, old.Wait())
			r.shows("mailer.jobs", 4)

			assert.Equal(t, "running", r.state(lifeOf(t, r.ledger, replacement.PID())))
			r.lives(1)
			replacement.Say("a job")
			r.shows("mailer.jobs", 5)
			replacement.CloseInput()
			require.Zero(t, replacement.Wait())
			r.shows("mailer.jobs", 5)
			r.lives(0)
		})
	}
}
