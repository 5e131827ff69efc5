package e2e

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
)

// Every shipped configuration is one that the built collector accepts.
func TestShippedConfigs(t *testing.T) {
	if testing.Short() {
		t.Skip("needs the built collector")
	}
	root, err := collector.Root()
	require.NoError(t, err)
	binary, err := collector.Binary()
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(root, "config", "*.yaml"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			cmd := exec.CommandContext(harness.Context(t), binary, "validate", "--config="+file)
			cmd.Dir = t.TempDir()
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
		})
	}
}
