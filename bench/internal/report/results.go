// Package report reads what the benchmarks printed and makes tables, ratios and
// a chart of it.
package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// Results are the values of every benchmark, by its name without the number of
// processors and by unit: one value for each round.
type Results map[string]map[string][]float64

// Outcome is the total that a tool made of a scene, and the right one.
type Outcome struct{ Scene, Tool, Got, Right string }

// Read adds the benchmark lines of a Go test run.
func (r Results) Read(from io.Reader) error {
	lines := benchfmt.NewReader(from, "")
	for lines.Scan() {
		res, ok := lines.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		name := string(res.Name)
		if _, parts := res.Name.Parts(); len(parts) > 0 && parts[len(parts)-1][0] == '-' {
			name = strings.TrimSuffix(name, string(parts[len(parts)-1]))
		}
		for _, v := range res.Values {
			value, unit := v.Value, v.Unit
			if v.OrigUnit != "" {
				value, unit = v.OrigValue, v.OrigUnit
			}
			r.Add(name, unit, value)
		}
	}
	return lines.Err()
}

// Add takes one value of one round.
func (r Results) Add(name, unit string, value float64) {
	if r[name] == nil {
		r[name] = map[string][]float64{}
	}
	r[name][unit] = append(r[name][unit], value)
}

// Get is the median over the rounds.
func (r Results) Get(name, unit string) (float64, bool) {
	values := r[name][unit]
	if len(values) == 0 {
		return 0, false
	}
	return median(values), true
}

// Ratio is how a value compares with another of the same round, in the median
// over the rounds: what slows a whole round down slows both.
func (r Results) Ratio(a, aUnit, b, bUnit string) (float64, bool) {
	x, y := r[a][aUnit], r[b][bUnit]
	if len(x) == 0 || len(y) == 0 {
		return 0, false
	}
	if len(x) != len(y) {
		return median(x) / median(y), true
	}
	ratios := make([]float64, len(x))
	for i := range x {
		ratios[i] = x[i] / y[i]
	}
	return median(ratios), true
}

func median(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}

// Outcomes reads the lines that say what the tools made of the scenes.
func Outcomes(text string) ([]Outcome, error) {
	var out []Outcome
	for line := range strings.Lines(text) {
		_, rest, ok := strings.Cut(line, "outcome: ")
		if !ok {
			continue
		}
		f := strings.Split(strings.TrimSpace(rest), " | ")
		if len(f) != 4 {
			return nil, fmt.Errorf("outcome %q has %d fields, expected scene, tool, got and right", line, len(f))
		}
		out = append(out, Outcome{f[0], f[1], f[2], f[3]})
	}
	return out, nil
}
