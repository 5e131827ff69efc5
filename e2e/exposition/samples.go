package exposition

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Samples are all samples of one scrape, by [Sample.key].
type Samples map[string]Sample

// Sample is one line of the text format.
type Sample struct {
	// Name is the sample's name, with _bucket, _count or _sum where it has one.
	Name   string
	Labels map[string]string
	Value  float64
	// Monotonic says that the value may only rise: a counter, or a histogram's
	// or summary's count, sum or bucket. (Nothing here observes negative values.)
	Monotonic bool
}

func (s Sample) key() string { return Key(s.Name, s.Labels) }

// Key writes a sample's name and labels, sorted, as in the text format.
func Key(name string, labels map[string]string) string {
	var b strings.Builder
	b.WriteString(name)
	for i, l := range slices.Sorted(maps.Keys(labels)) {
		b.WriteByte("{,"[min(i, 1)])
		b.WriteString(l + "=" + strconv.Quote(labels[l]))
	}
	if len(labels) > 0 {
		b.WriteByte('}')
	}
	return b.String()
}

// Match returns the samples of that name which have all these labels, in the
// order of their keys.
func (s Samples) Match(name string, labels map[string]string) []Sample {
	var found []Sample
	for _, key := range slices.Sorted(maps.Keys(s)) {
		if sample := s[key]; sample.Name == name && contains(sample.Labels, labels) {
			found = append(found, sample)
		}
	}
	return found
}

// Sum adds up the samples that Match, as PromQL's sum() does. No sample: 0.
func (s Samples) Sum(name string, labels map[string]string) float64 {
	sum := 0.0
	for _, sample := range s.Match(name, labels) {
		sum += sample.Value
	}
	return sum
}

// One returns the value of the only sample that Match. The error names what
// there is instead.
func (s Samples) One(name string, labels map[string]string) (float64, error) {
	found := s.Match(name, labels)
	if len(found) == 1 {
		return found[0].Value, nil
	}
	keys := make([]string, len(found))
	for i, sample := range found {
		keys[i] = sample.key()
	}
	return 0, fmt.Errorf("exposition: %d samples match %s, expected one: %s", len(found), Key(name, labels), strings.Join(keys, " "))
}

func contains(labels, subset map[string]string) bool {
	for k, v := range subset {
		if labels[k] != v {
			return false
		}
	}
	return true
}

func with(labels map[string]string, name, value string) map[string]string {
	labels = maps.Clone(labels)
	labels[name] = value
	return labels
}

func formatBound(v float64) string {
	if math.IsInf(v, 1) {
		return "+Inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
