package scenario

import (
	"strconv"
	"strings"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/series"
)

// Fields are the properties of a point as an expectation would write them.
// What is absent is left out.
func Fields(p *series.Point) []Field {
	if p.NoRecorded {
		return []Field{{"=", "none"}}
	}
	var out []Field
	switch {
	case p.Hist != nil:
		out = []Field{
			{"bounds", formatList(p.Hist.Bounds, series.FormatFloat)},
			{"counts", formatList(p.Hist.Counts, formatCount)},
			{"count", formatCount(p.Hist.Count)},
		}
		out = append(out, summed(p.Hist.Sum, p.Hist.Min, p.Hist.Max)...)
	case p.Exp != nil:
		out = exponentialFields(p.Exp)
	case p.Summary != nil:
		out = []Field{
			{"count", formatCount(p.Summary.Count)},
			{"sum", series.FormatFloat(p.Summary.Sum)},
			{"quantiles", strconv.Itoa(len(p.Summary.Quantiles))},
		}
	default:
		out = []Field{{"=", p.Number.String()}}
	}
	if p.ID.Kind == series.UpDown || p.ID.Kind == series.Counter {
		out = append(out, Field{"monotonic", strconv.FormatBool(p.ID.Kind == series.Counter)})
	}
	return append(out, Field{"unit", series.QuoteIfNeeded(p.ID.Unit)}, Field{"description", series.QuoteIfNeeded(p.Description)})
}

// exponentialFields trims empty buckets at both ends, which mean nothing.
func exponentialFields(e *series.Exp) []Field {
	pos, neg := series.FromIndex(e.Pos.ByIndex(0, 0)), series.FromIndex(e.Neg.ByIndex(0, 0))
	out := []Field{
		{"scale", strconv.Itoa(int(e.Scale))},
		{"zero", formatCount(e.Zero)},
		{"threshold", series.FormatFloat(e.Threshold)},
		{"offset", strconv.Itoa(int(pos.Offset))},
		{"pos", formatList(pos.Counts, formatCount)},
		{"negoffset", strconv.Itoa(int(neg.Offset))},
		{"neg", formatList(neg.Counts, formatCount)},
		{"count", formatCount(e.Count)},
	}
	return append(out, summed(e.Sum, e.Min, e.Max)...)
}

func summed(sum, minimum, maximum *float64) []Field {
	var out []Field
	for _, f := range []struct {
		key   string
		value *float64
	}{{"sum", sum}, {"min", minimum}, {"max", maximum}} {
		if f.value != nil {
			out = append(out, Field{f.key, series.FormatFloat(*f.value)})
		}
	}
	return out
}

func formatCount(n uint64) string { return strconv.FormatUint(n, 10) }

// formatList writes [1,2,0x8]: a value that comes often is written once.
func formatList[T comparable](values []T, format func(T) string) string {
	var parts []string
	for i := 0; i < len(values); {
		times := 1
		for i+times < len(values) && values[i+times] == values[i] {
			times++
		}
		text := strings.TrimSuffix(format(values[i]), ".0")
		if times > 3 {
			text += "x" + strconv.Itoa(times)
		} else {
			text = strings.TrimSuffix(strings.Repeat(text+",", times), ",")
		}
		parts = append(parts, text)
		i += times
	}
	return "[" + strings.Join(parts, ",") + "]"
}
