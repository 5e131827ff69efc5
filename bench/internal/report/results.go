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

// What else runs on the machine makes times longer and never shorter, so the
// best round is the one that says most about the code.
var best = map[string]func([]float64) float64{
	"quiet-ns/op":      slices.Min[[]float64],
	"quiet-push-ns/op": slices.Min[[]float64],
	"ns/op":            slices.Min[[]float64],
	"push-ns/op":       slices.Min[[]float64],
	"marshal-ns/op":    slices.Min[[]float64],
	"ns/series":        slices.Min[[]float64],
	"ns/point":         slices.Min[[]float64],
	"cpu-s/Mpoint":     slices.Min[[]float64],
	"points/s":         slices.Max[[]float64],
}

// Get is the best round's value of what is timed, and the median of the rest.
func (r Results) Get(name, unit string) (float64, bool) {
	values := r[name][unit]
	if len(values) == 0 {
		return 0, false
	}
	if pick, ok := best[unit]; ok {
		return pick(values), true
	}
	return median(values), true
}

// Ratio is how a value compares with another one of the same round: the median of
// all rounds. A machine may be twice as fast in one round as in the next, so that
// values of different rounds do not compare.
func (r Results) Ratio(a, aUnit, b, bUnit string) (float64, bool) {
	x, y := r[a][aUnit], r[b][bUnit]
	if len(x) == 0 || len(x) != len(y) || slices.Contains(y, 0) {
		return 0, false
	}
	ratios := make([]float64, len(x))
	for round := range x {
		ratios[round] = x[round] / y[round]
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
