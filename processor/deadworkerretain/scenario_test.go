package deadworkerretain_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain"
	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario"
)

var scenarios = filepath.Join("..", "..", "testdata", "scenarios")

// scenarioFiles lists all scenario files, relative to their directory.
func scenarioFiles(tb testing.TB) []string {
	var files []string
	require.NoError(tb, fs.WalkDir(os.DirFS(scenarios), ".", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".txt") {
			files = append(files, path)
		}
		return err
	}))
	require.NotEmpty(tb, files)
	return files
}

// TestScenarios plays every file of testdata/scenarios through the processor on
// a fake clock. The language is described in the README there.
func TestScenarios(t *testing.T) {
	for _, file := range scenarioFiles(t) {
		t.Run(strings.TrimSuffix(file, ".txt"), func(t *testing.T) {
			s, err := scenario.ParseFile(filepath.Join(scenarios, file))
			require.NoError(t, err)
			synctest.Test(t, func(t *testing.T) {
				if err := scenario.Run(s, deadworkerretain.NewFactory()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// TestScenariosPrint checks that what a property test prints is what it ran:
// every scenario means the same after it was written out.
func TestScenariosPrint(t *testing.T) {
	for _, file := range scenarioFiles(t) {
		s, err := scenario.ParseFile(filepath.Join(scenarios, file))
		require.NoError(t, err)
		again, err := scenario.Parse(file, s.String())
		require.NoError(t, err)
		require.Equal(t, s.String(), again.String())
	}
}
