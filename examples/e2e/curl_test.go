package e2e

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
	"github.com/otelcol-workers/otelcol-workers/examples/e2e/recipe"
)

// The README's blocks, run as they stand but for the address.
func TestCurlReadme(t *testing.T) {
	need(t, "curl", "apt-get install curl")
	t.Parallel()
	r := newRig(t, never)
	readme, err := os.ReadFile(examples(t, "curl", "README.md"))
	harness.Must(t, err)
	var blocks strings.Builder
	for i, part := range strings.Split(string(readme), "```") {
		if code, ok := strings.CutPrefix(part, "bash\n"); ok && i%2 == 1 {
			blocks.WriteString(code + "echo; echo 'end of block'\n")
		}
	}
	require.Contains(t, blocks.String(), "localhost:4318")
	script := "set -euo pipefail\n" + strings.ReplaceAll(blocks.String(), "localhost:4318", r.ledger.HTTP)

	p := recipe.Start(t, recipe.Command{Dir: examples(t, "curl"), Args: []string{"bash", "-c", script}, Env: r.env()})
	require.Zero(t, p.Wait())
	assert.Equal(t, 5, strings.Count(strings.Join(p.Lines(), "\n"), "end of block"))
	p.Await(`"workers":`, `"id":"w1"`, `"state":"terminated"`)

	r.shows("shop.jobs", 5)
	r.shows("backup.jobs", 3)
	r.lives(0)
}

func TestCurlWorker(t *testing.T) {
	need(t, "curl", "apt-get install curl")
	t.Parallel()
	r := newRig(t, never)
	start := func(name string) *recipe.Process {
		p := recipe.Start(t, recipe.Command{
			Dir: examples(t, "curl"), Args: []string{"./supervise.sh", name, "./worker.sh"}, Env: r.env(),
		})
		for range 2 {
			p.Say("a job")
		}
		return p
	}

	told := start("host/told")
	r.shows("backup.jobs", 2)
	told.Signal(syscall.SIGTERM)
	require.Equal(t, 128+int(syscall.SIGTERM), told.Wait())
	r.folded("goodbye", 1)

	killed := start("host/killed")
	r.shows("backup.jobs", 4)
	for _, life := range r.ledger.Lives() {
		if life.ID == "host/killed" {
			harness.Must(t, syscall.Kill(life.PID, syscall.SIGKILL))
		}
	}
	require.Equal(t, 128+int(syscall.SIGKILL), killed.Wait())
	r.folded("reported", 1)
	r.lives(0)
	r.shows("backup.jobs", 4)
}
