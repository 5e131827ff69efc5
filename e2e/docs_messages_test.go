package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	logged = regexp.MustCompile(`(?:\blog|limited|logger)\.(?:Debug|Info|Warn|Error)\(\s*("(?:[^"\\]|\\.)*")`)
	told   = regexp.MustCompile(`Text:\s+(?:fmt\.Sprintf\()?("(?:[^"\\]|\\.)*")`)
	verb   = regexp.MustCompile(`%[a-z]`)
)

// Whatever the two components write to the log is explained in docs/messages.md.
func TestEveryLogMessageIsExplained(t *testing.T) {
	root := repository(t)
	explained, err := os.ReadFile(filepath.Join(root, "docs", "messages.md"))
	require.NoError(t, err)
	found := 0
	for _, dir := range []string{"processor/deadworkerretain", "processor/deadworkerretain/internal/core", "receiver/workeragg"} {
		files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			source, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, m := range append(logged.FindAllStringSubmatch(string(source), -1), told.FindAllStringSubmatch(string(source), -1)...) {
				message, err := strconv.Unquote(m[1])
				require.NoError(t, err)
				found++
				there := strings.Contains(string(explained), verb.ReplaceAllString(message, "…"))
				assert.True(t, there, "%s says %q, which docs/messages.md does not explain", filepath.Base(file), message)
			}
		}
	}
	assert.GreaterOrEqual(t, found, 15, "the messages have moved: look for them elsewhere")
}
