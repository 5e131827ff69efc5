package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
)

// typedPages are the pages whose every block is run, or says why not. The
// examples and the receiver have tests of their own.
func typedPages(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, below := range []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs", "config", "packaging", "processor/deadworkerretain"} {
		maps.Copy(all, pages(t, below))
	}
	// These tell how they were made, by commands that take minutes.
	delete(all, "docs/performance.md")
	delete(all, "docs/reliability.md")
	return all
}

// Every block that can be typed is tested, in one of the ways that docs/README.md tells of.
func TestDocs(t *testing.T) {
	texts := typedPages(t)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		t.Run(name, func(t *testing.T) {
			var commands []block
			for _, b := range blocksOf(texts[name]) {
				if typed(t, b) {
					commands = append(commands, b)
				}
			}
			if len(commands) > 0 {
				typeIn(t, commands)
			}
		})
	}
}

// typed deals with a block, but for commands that are to be run one after the other.
func typed(t *testing.T, b block) (command bool) {
	t.Helper()
	how, what, _ := strings.Cut(b.marker, ": ")
	switch how {
	case "not run":
		assert.NotEmpty(t, what, "line %d: no reason", b.line)
		return false
	case "tested by":
		testedBy(t, b, what)
		return false
	case "from":
		excerptOf(t, b, what)
		return false
	}
	switch b.language {
	case "text", "mermaid":
	case "sh":
		return true
	case "yaml":
		overlaid(t, b)
	case "json":
		assert.True(t, json.Valid([]byte(b.text)), "line %d: no JSON", b.line)
	default:
		assert.Fail(t, "neither run nor marked", "line %d: a block of %q", b.line, b.language)
	}
	return false
}

func testedBy(t *testing.T, b block, what string) {
	t.Helper()
	file, name, _ := strings.Cut(what, "#")
	text, err := os.ReadFile(filepath.Join(repository(t), file))
	require.NoError(t, err, "line %d", b.line)
	assert.Contains(t, string(text), "func "+name+"(", "line %d", b.line)
}

// excerptOf checks that the block's lines follow each other in a file that is
// tested, with others between them.
func excerptOf(t *testing.T, b block, file string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository(t), file))
	require.NoError(t, err, "line %d", b.line)
	rest := string(text)
	for line := range strings.Lines(b.text) {
		_, after, found := strings.Cut(rest, strings.TrimSpace(line))
		if !assert.True(t, found, "line %d: %q is not, or not there, in %s", b.line, strings.TrimSpace(line), file) {
			return
		}
		rest = after
	}
}

// overlaid has the collector check a piece of configuration, laid over the default one.
func overlaid(t *testing.T, b block) {
	t.Helper()
	if testing.Short() {
		return
	}
	path := filepath.Join(t.TempDir(), "overlay.yaml")
	require.NoError(t, os.WriteFile(path, []byte(b.text), 0o600))
	t.Logf("line %d", b.line)
	validate(t, filepath.Join(configDir(t), "default.yaml"), path)
}

// typeIn runs the commands of a page against a collector on the default
// configuration. What only looks is repeated until there is something to see.
func typeIn(t *testing.T, commands []block) {
	c := harness.Collector(t, collector.Options{
		ConfigFile: filepath.Join(configDir(t), "default.yaml"),
		Set:        set(testPorts, testFlush, testScrape),
	})
	ports := strings.NewReplacer("localhost:4318", c.Addr("http"), "localhost:8889", c.Addr("prometheus"))
	for _, b := range commands {
		run := func(ctx context.Context) error {
			_, err := shell(ctx, "set -euo pipefail\n"+ports.Replace(b.text))
			if err != nil {
				return fmt.Errorf("line %d: %w", b.line, err)
			}
			return nil
		}
		if strings.Contains(b.text, "/metrics |") {
			harness.Eventually(t, run)
			continue
		}
		require.NoError(t, run(harness.Context(t)))
	}
}
