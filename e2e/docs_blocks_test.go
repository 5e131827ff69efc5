package e2e

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
)

// block is a fenced block of a page, with the comment before it.
type block struct {
	language, marker, text string
	line                   int
}

var marked = regexp.MustCompile(`^<!--\s*(.*?)\s*-->$`)

// blocksOf reads the fenced blocks of a page. Those in lists are indented.
func blocksOf(text string) []block {
	var blocks []block
	var open *block
	last, indent := "", ""
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case open != nil && trimmed == "```":
			blocks = append(blocks, *open)
			open = nil
		case open != nil:
			open.text += strings.TrimPrefix(line, indent) + "\n"
		case strings.HasPrefix(trimmed, "```"):
			open = &block{language: strings.TrimPrefix(trimmed, "```"), line: i + 1}
			indent, _, _ = strings.Cut(line, "`")
			if m := marked.FindStringSubmatch(last); m != nil {
				open.marker = m[1]
			}
		}
		last = trimmed
	}
	return blocks
}

// repository is where the pages are.
func repository(t *testing.T) string {
	t.Helper()
	root, err := collector.Root()
	require.NoError(t, err)
	return root
}

// pages are the Markdown files below a path of the repository, by their names in it.
func pages(t *testing.T, below string) map[string]string {
	t.Helper()
	root := repository(t)
	found := map[string]string{}
	require.NoError(t, filepath.WalkDir(filepath.Join(root, below), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "dist" || entry.Name() == ".git" || entry.Name() == ".cache") {
			return fs.SkipDir
		}
		if entry.IsDir() || filepath.Ext(path) != ".md" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		found[filepath.ToSlash(name)] = string(text)
		return err
	}))
	require.NotEmpty(t, found, "no pages below %q", below)
	return found
}
