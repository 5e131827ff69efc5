package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
)

// What the README tells a newcomer to type gives the numbers it says, with the
// configuration that `make run` uses. Only the ports are others.
func TestReadme(t *testing.T) {
	root, err := collector.Root()
	require.NoError(t, err)
	c := harness.Collector(t, collector.Options{
		ConfigFile: filepath.Join(root, "config", "default.yaml"),
		Set: []string{
			`receivers::workeragg::protocols::grpc::endpoint={{addr "grpc"}}`,
			`receivers::workeragg::protocols::http::endpoint={{addr "http"}}`,
			`exporters::prometheus::endpoint={{addr "prometheus"}}`,
			`extensions::health_check::endpoint={{addr "health"}}`,
			`service::telemetry::metrics::readers=[{pull: {exporter: {prometheus: {host: 127.0.0.1, port: {{port "self"}}}}}}]`,
		},
	})
	ports := strings.NewReplacer("localhost:4318", c.Addr("http"), "localhost:8889", c.Addr("prometheus"))

	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(readme), -1)
	require.Len(t, blocks, 3)
	assert.Equal(t, "make run\n", blocks[0][1])
	push, look := ports.Replace(blocks[1][1]), ports.Replace(blocks[2][1])

	for _, want := range []string{"3", "6"} {
		assert.Contains(t, string(readme), "ends in `"+want+"`")
		answer, err := shell(harness.Context(t), push)
		require.NoError(t, err)
		assert.JSONEq(t, `{"partialSuccess":{}}`, answer)
		harness.Eventually(t, func(ctx context.Context) error {
			line, err := shell(ctx, look)
			if err != nil {
				return err
			}
			if strings.Contains(line, "\n") || !strings.HasSuffix(line, " "+want) {
				return fmt.Errorf("shown is %q, expected one line that ends in %s", line, want)
			}
			return nil
		})
	}

	told, err := os.ReadFile(filepath.Join(root, "internal", "tools", "try.sh"))
	require.NoError(t, err)
	assert.Equal(t, blocks[1][1], string(told), "`make run` says something else than the README")
}

// shell runs a command as a user types it.
func shell(ctx context.Context, command string) (string, error) {
	out, err := exec.CommandContext(ctx, "bash", "-c", command).Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", command, err)
	}
	return strings.TrimSpace(string(out)), nil
}
