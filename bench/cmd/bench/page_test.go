package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/report"
)

func TestDocsKeepWhatIsAroundTheTables(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "performance.md")
	require.NoError(t, os.WriteFile(file, []byte("before\n"+begin+"old\n"+end+"after\n"), 0o600))
	require.NoError(t, writeDocs(dir, "new\n", "<svg/>"))
	got, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "before\n"+begin+"\nnew\n"+end+"after\n", string(got))
	chart, err := os.ReadFile(filepath.Join(dir, "bench.svg"))
	require.NoError(t, err)
	assert.Equal(t, "<svg/>", string(chart))

	require.NoError(t, os.WriteFile(file, []byte("no marks"), 0o600))
	assert.ErrorContains(t, writeDocs(dir, "new\n", ""), "performance.md has no lines")
}

func TestPageHasTheTotalsAndSaysWhatWasNotMeasured(t *testing.T) {
	text := page(report.Results{}, []report.Outcome{{Scene: "two at once", Tool: "trio", Got: "30", Right: "330"}})
	assert.Contains(t, text, "| two at once | 330 | **30** |")
	assert.Contains(t, text, string(report.NotMeasured))
}
