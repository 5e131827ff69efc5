package workeragg

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// The commands of the README do what it says.
func TestReadme(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("there is no curl here")
	}
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	r := newRig(t)
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllSubmatch(readme, -1)
	require.Len(t, blocks, 3)
	var out []byte
	for _, block := range blocks {
		script := strings.ReplaceAll(string(block[1]), "localhost:4318", strings.TrimPrefix(r.httpURL, "http://"))
		out, err = exec.CommandContext(t.Context(), "sh", "-e", "-c", script).CombinedOutput()
		require.NoError(t, err, string(out))
	}
	w1 := map[string]any{"worker.id": "w1", "worker.incarnation": "1"}
	w2 := map[string]any{"worker.id": "w2", "worker.incarnation": "1"}
	assert.Equal(t, []told{
		{w1, lifecycle.Terminated, "goodbye", ""},
		{map[string]any{"worker.id": "w1"}, lifecycle.Quiet, "", ""},
		{w2, lifecycle.Running, "", ""},
		{w2, lifecycle.Terminated, "reported", "SIGKILL"},
	}, r.told())
	assert.Contains(t, string(out), `"id":"w2","state":"terminated","reason":"reported","cause":"SIGKILL","source":"http","incarnation":"1"`)
}
