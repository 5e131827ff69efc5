package e2e

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#{1,6} +(.*?) *$`)
	fenced  = regexp.MustCompile("(?ms)^ *```.*?^ *```")
	dropped = regexp.MustCompile(`[^\p{L}\p{N}\s_-]`)
)

// Links inside the repository lead somewhere.
func TestLinks(t *testing.T) {
	all := pages(t, ".")
	root := repository(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(all[name], ""), -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			to := name
			if target != "" {
				to = path.Join(path.Dir(name), target)
			}
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(to))); !assert.NoError(t, err, "%s links to %s", name, m[1]) {
				continue
			}
			if anchor != "" {
				assert.Contains(t, anchors(all[to]), anchor, "%s links to %s", name, m[1])
			}
		}
	}
}

// anchors are the names that headings get on GitHub.
func anchors(text string) []string {
	var names []string
	for _, m := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		name := strings.ToLower(dropped.ReplaceAllString(m[1], ""))
		names = append(names, strings.ReplaceAll(name, " ", "-"))
	}
	return names
}

func TestAnchors(t *testing.T) {
	assert.Equal(t, []string{"a-word-or-two", "client_python-multiprocess", "more"},
		anchors("# A word, or two\ntext\n## client_python multiprocess\n```sh\n# no heading\n```\n### `More`\n"))
}
