//go:build !race

package promtest

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/exposition"
)

// labelsOf are the labels of what a selector selects. The test fails if there
// is no such metric, label or value.
func labelsOf(t *testing.T, samples exposition.Samples, where string, s *parser.VectorSelector) map[string]string {
	t.Helper()
	all := maps.Clone(onTarget)
	if page, ok := documented[s.Name]; ok {
		assert.True(t, describes(t, page, s.Name), "%s: %s does not describe %s", where, page, s.Name)
		return all
	}
	found := samples.Match(s.Name, nil)
	assert.NotEmpty(t, found, "%s: the collector has no metric %q", where, s.Name)
	for _, sample := range found {
		maps.Copy(all, sample.Labels)
	}
	for _, m := range s.LabelMatchers {
		if m.Name == model.MetricNameLabel || onTarget[m.Name] != "" {
			continue
		}
		// Each alternative by itself: a word that matches nothing is a mistake,
		// also beside one that does.
		for value := range strings.SplitSeq(m.Value, "|") {
			one, err := labels.NewMatcher(m.Type, m.Name, value)
			require.NoError(t, err)
			assert.True(t, slices.ContainsFunc(found, func(sample exposition.Sample) bool {
				v, ok := sample.Labels[m.Name]
				return ok && one.Matches(v)
			}), "%s: no %s has %s", where, s.Name, one)
		}
	}
	return all
}

// describes reports whether a page of the repository has a chapter on a metric.
func describes(t *testing.T, page, metric string) bool {
	t.Helper()
	root, err := collector.Root()
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(page)))
	require.NoError(t, err)
	return strings.Contains(string(text), "\n### "+metric+"\n")
}
