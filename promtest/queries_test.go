//go:build !race

package promtest

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
)

// query is what an alert or a panel asks.
type query struct {
	// where it is, for messages.
	where string
	// expr is the parsed text, with Grafana's variables replaced.
	expr parser.Expr
	// shows are the labels of the result that a legend or an annotation prints.
	shows []string
}

var promqlParser = parser.NewParser(parser.Options{})

func configFile(t *testing.T, name ...string) string {
	t.Helper()
	root, err := collector.Root()
	require.NoError(t, err)
	return filepath.Join(append([]string{root, "config"}, name...)...)
}

var annotationLabel = regexp.MustCompile(`\$labels\.(\w+)`)

func alertQueries(t *testing.T) []query {
	t.Helper()
	groups, errs := rulefmt.ParseFile(configFile(t, "prometheus", "alerts.yaml"), false, model.UTF8Validation, promqlParser, slog.New(slog.DiscardHandler))
	require.Empty(t, errs)
	var queries []query
	for _, group := range groups.Groups {
		for _, rule := range group.Rules {
			q := query{where: "alert " + rule.Alert, expr: parse(t, rule.Expr)}
			for _, text := range rule.Annotations {
				q.shows = append(q.shows, submatches(annotationLabel, text)...)
			}
			queries = append(queries, q)
		}
	}
	require.NotEmpty(t, queries)
	return queries
}

var (
	legendLabel = regexp.MustCompile(`{{(\w+)}}`)
	labelValues = regexp.MustCompile(`^label_values\((.+), (\w+)\)$`)
)

func dashboardQueries(t *testing.T) []query {
	t.Helper()
	var queries []query
	d := readDashboard(t)
	for _, v := range d.Templating.List {
		if v.Type != "query" {
			continue
		}
		parts := labelValues.FindStringSubmatch(v.Definition)
		require.NotNil(t, parts, "variable %s: %q, expected label_values(METRIC, LABEL)", v.Name, v.Definition)
		require.Equal(t, v.Definition, v.Query.Query, "variable %s", v.Name)
		queries = append(queries, query{where: "variable " + v.Name, expr: parse(t, parts[1]), shows: parts[2:]})
	}
	for _, p := range d.Panels {
		for _, target := range p.Targets {
			queries = append(queries, query{
				where: fmt.Sprintf("panel %q, %s", p.Title, target.RefID),
				expr:  parse(t, target.Expr),
				shows: submatches(legendLabel, target.LegendFormat),
			})
		}
	}
	require.NotEmpty(t, queries)
	return queries
}

// parse reads PromQL after Grafana has replaced its variables by what they may stand for.
func parse(t *testing.T, text string) parser.Expr {
	t.Helper()
	text = strings.NewReplacer(
		"$__rate_interval", "1m", "$__range", "1h", `"$job"`, `".*"`, `"$instance"`, `".*"`,
	).Replace(text)
	expr, err := promqlParser.ParseExpr(text)
	require.NoError(t, err, text)
	return expr
}

// selectors are the vectors that an expression selects.
func (q query) selectors() []*parser.VectorSelector {
	var found []*parser.VectorSelector
	parser.Inspect(q.expr, func(node parser.Node, _ []parser.Node) error {
		if s, ok := node.(*parser.VectorSelector); ok {
			found = append(found, s)
		}
		return nil
	})
	return found
}

// labels are the labels that an expression groups and joins by.
func (q query) labels() []string {
	var found []string
	parser.Inspect(q.expr, func(node parser.Node, _ []parser.Node) error {
		switch n := node.(type) {
		case *parser.AggregateExpr:
			found = append(found, n.Grouping...)
		case *parser.BinaryExpr:
			if n.VectorMatching != nil {
				found = append(found, n.VectorMatching.MatchingLabels...)
			}
		}
		return nil
	})
	return found
}

// keeps reports whether the result has a label: aggregations lose what they do not group by.
func (q query) keeps(label string) bool {
	kept := true
	parser.Inspect(q.expr, func(node parser.Node, _ []parser.Node) error {
		if n, ok := node.(*parser.AggregateExpr); ok && slices.Contains(n.Grouping, label) == n.Without {
			kept = false
		}
		return nil
	})
	return kept
}

func submatches(pattern *regexp.Regexp, text string) []string {
	var found []string
	for _, match := range pattern.FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	return found
}

func readConfig(t *testing.T, name ...string) []byte {
	t.Helper()
	text, err := os.ReadFile(configFile(t, name...))
	require.NoError(t, err)
	return text
}
