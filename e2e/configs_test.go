package e2e

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
)

// shippedConfigs are the files under config/ that a collector runs, and the test
// that does. kubernetes.yaml is a manifest that holds one.
var shippedConfigs = map[string]func(*testing.T){
	"default.yaml":                   TestReadme,
	"otlp-backend.yaml":              TestConfigOTLPBackend,
	"remote-write.yaml":              TestConfigRemoteWrite,
	"agent-and-gateway/agent.yaml":   TestConfigAgentAndGateway,
	"agent-and-gateway/gateway.yaml": TestConfigAgentAndGateway,
	"tls-and-auth.yaml":              TestConfigTLSAndAuth,
	"kubernetes.yaml":                TestConfigKubernetes,
}

// configDir is the directory of a shipped file.
func configDir(t *testing.T) string {
	t.Helper()
	root, err := collector.Root()
	require.NoError(t, err)
	return filepath.Join(root, "config")
}

// Every shipped configuration is one that the built collector accepts, and has a
// test that runs it.
func TestShippedConfigs(t *testing.T) {
	if testing.Short() {
		t.Skip("needs the built collector")
	}
	dir := configDir(t)
	found := map[string]bool{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if entry.IsDir() {
			// Other programs' files.
			if name == "grafana" || name == "prometheus" {
				return fs.SkipDir
			}
			return err
		}
		if filepath.Ext(name) == ".yaml" {
			found[name] = true
			assert.Contains(t, shippedConfigs, name, "no test runs it")
		}
		return err
	}))
	for name := range shippedConfigs {
		assert.Contains(t, found, name, "a test names it, but there is none")
	}
	for name := range found {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, name)
			if name == "kubernetes.yaml" {
				path = kubernetesConfig(t)
			}
			validate(t, path)
		})
	}
}

// validate has the built collector check a configuration, made of one or more files.
func validate(t *testing.T, paths ...string) {
	t.Helper()
	binary, err := collector.Binary()
	require.NoError(t, err)
	args := []string{"validate"}
	for _, path := range paths {
		args = append(args, "--config="+path)
	}
	cmd := exec.CommandContext(harness.Context(t), binary, args...)
	cmd.Dir = t.TempDir()
	// The state of the manifest's collector is on a volume that is not here.
	cmd.Env = append(os.Environ(), "OTELCOL_WORKERS_DATA="+cmd.Dir)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
