package worker

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/otelcol-workers/otelcol-workers/e2e/exposition"
)

// Bounds are the bucket bounds of the workers' histogram, in seconds. Like the
// durations that workers are given they are exact in binary, so that sums do
// not depend on the order of addition and tests can ask for equality.
var Bounds = []float64{0.125, 0.5, 2, 8}

// Totals are the monotonic samples that a worker adds to, named and labelled as
// Prometheus shows them.
type Totals map[string]float64

// Job counts one job of a queue, which took this many seconds.
func (t Totals) Job(queue string, seconds float64) {
	labels := map[string]string{"queue": queue}
	t[exposition.Key("jobs_done_total", labels)]++
	t[exposition.Key("work_time_seconds_total", labels)] += seconds
	t[exposition.Key("job_duration_seconds_count", labels)]++
	t[exposition.Key("job_duration_seconds_sum", labels)] += seconds
	for _, bound := range append(slices.Clone(Bounds), math.Inf(1)) {
		n := 0.0
		if seconds <= bound {
			n = 1
		}
		t[exposition.Key("job_duration_seconds_bucket", map[string]string{"queue": queue, "le": le(bound)})] += n
	}
}

// Add adds another worker's totals.
func (t Totals) Add(other Totals) {
	for k, v := range other {
		t[k] += v
	}
}

// Jobs is the number of jobs over all queues.
func (t Totals) Jobs() float64 {
	sum := 0.0
	for _, queue := range Queues {
		sum += t[exposition.Key("jobs_done_total", map[string]string{"queue": queue})]
	}
	return sum
}

// Clone copies the totals.
func (t Totals) Clone() Totals { return maps.Clone(t) }

// Seen reads the same samples from a scrape, of the series that have these labels.
func Seen(samples exposition.Samples, labels map[string]string) Totals {
	t := Totals{}
	for _, name := range []string{
		"jobs_done_total", "work_time_seconds_total",
		"job_duration_seconds_count", "job_duration_seconds_sum", "job_duration_seconds_bucket",
	} {
		for _, s := range samples.Match(name, labels) {
			own := map[string]string{"queue": s.Labels["queue"]}
			if bound, ok := s.Labels["le"]; ok {
				own["le"] = bound
			}
			t[exposition.Key(name, own)] += s.Value
		}
	}
	return t
}

func le(bound float64) string {
	if math.IsInf(bound, 1) {
		return "+Inf"
	}
	return strconv.FormatFloat(bound, 'g', -1, 64)
}
