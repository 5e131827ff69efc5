package e2e

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
)

// The unit is one that systemd understands, with the built collector in it.
func TestSystemdUnit(t *testing.T) {
	if testing.Short() {
		t.Skip("needs the built collector")
	}
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("there is no systemd-analyze here")
	}
	binary, err := collector.Binary()
	require.NoError(t, err)
	unit, err := os.ReadFile(filepath.Join(repository(t), "packaging", "systemd", "otelcol-workers.service"))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "otelcol-workers.service")
	text := strings.ReplaceAll(string(unit), "/usr/bin/otelcol-workers", binary)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	out, err := exec.CommandContext(harness.Context(t), analyze, "verify", "--man=no", path).CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.NotContains(t, string(out), "otelcol-workers.service:")
}

// `systemctl reload` sends SIGHUP: the configuration is read again, and totals go on.
func TestReload(t *testing.T) {
	c := run(t, "default.yaml", nil, testPorts, testFlush, testScrape)
	w := newPusher("http://"+c.Addr("http")).says("x-worker-id", "w1")
	start := time.Now().Add(-time.Second)
	w.says("x-worker-state", "terminated").counts(t, start, 3)
	counted(t, c.Addr("prometheus"), 3)
	require.NoError(t, c.Signal(syscall.SIGHUP))
	harness.Eventually(t, func(context.Context) error {
		if !c.Logs().Contains("the state was restored") {
			return errors.New("nothing was restored yet")
		}
		return nil
	})
	harness.Eventually(t, w.accepted(start.Add(time.Millisecond), 2))
	counted(t, c.Addr("prometheus"), 5)
}

// Files that docker-compose.yaml mounts, and those that the image is made of, are there.
func TestImageAndCompose(t *testing.T) {
	root := repository(t)
	text, err := os.ReadFile(filepath.Join(root, "docker-compose.yaml"))
	require.NoError(t, err)
	var compose struct {
		Services map[string]struct {
			Volumes []string
			Ports   []string
		}
		Volumes map[string]any
	}
	require.NoError(t, yaml.Unmarshal(text, &compose))
	require.Len(t, compose.Services, 3)
	for name, service := range compose.Services {
		for _, volume := range service.Volumes {
			source, _, _ := strings.Cut(volume, ":")
			if strings.HasPrefix(source, "./") {
				exists(t, filepath.Join(root, source))
			} else {
				assert.Contains(t, compose.Volumes, source, name)
			}
		}
		for _, port := range service.Ports {
			assert.True(t, strings.HasPrefix(port, "127.0.0.1:"), "%s is open to everybody at %s", name, port)
		}
	}

	dockerfile, err := os.ReadFile(filepath.Join(root, "Dockerfile"))
	require.NoError(t, err)
	ignored, err := os.ReadFile(filepath.Join(root, ".dockerignore"))
	require.NoError(t, err)
	copies := regexp.MustCompile(`(?m)^COPY (.*) \S+$`).FindAllStringSubmatch(string(dockerfile), -1)
	require.NotEmpty(t, copies)
	for _, line := range copies {
		if strings.HasPrefix(line[1], "--from") {
			continue
		}
		for source := range strings.FieldsSeq(line[1]) {
			exists(t, filepath.Join(root, source))
			top, _, _ := strings.Cut(source, "/")
			assert.Contains(t, string(ignored), "\n!"+top+"\n", "not in the build's context")
		}
	}
}

func exists(t *testing.T, path string) {
	t.Helper()
	_, err := os.Stat(path)
	assert.NoError(t, err)
}
