//go:build !race

package promtest

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/otelcol-workers/otelcol-workers/e2e/exposition"
	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
	"github.com/otelcol-workers/otelcol-workers/e2e/worker"
	"github.com/otelcol-workers/otelcol-workers/promtest/server"
)

// path is a way for metrics into a Prometheus of its own.
type path struct {
	name   string
	server *server.Server
	// starts says that PromQL goes by start times there.
	starts bool
	// cuts are the times at which Prometheus had what the workers had done: the
	// first before the first round, then one after each round.
	cuts []time.Time
}

// counters are all monotonic samples that workers add to, as Prometheus names them.
var counters = []string{
	"jobs_done_total", "work_time_seconds_total",
	"job_duration_seconds_bucket", "job_duration_seconds_count", "job_duration_seconds_sum",
}

// cut waits until the newest samples show exactly these totals.
func (p *path) cut(ctx context.Context, want worker.Totals) error {
	newest, err := p.newest(ctx)
	if err != nil {
		return err
	}
	seen, err := p.seen(ctx, newest)
	if err != nil {
		return err
	}
	if wrong := seen.Differences(want); len(wrong) > 0 {
		err := fmt.Errorf("%s:\n  %s", p.name, strings.Join(wrong, "\n  "))
		if seen.Exceeds(want) {
			err = harness.Hopeless(err) // what never falls stays too high
		}
		return err
	}
	p.cuts = append(p.cuts, newest)
	return nil
}

// cutAfter waits for a sample later than this, whatever it shows.
func (p *path) cutAfter(ctx context.Context, after time.Time) error {
	newest, err := p.newest(ctx)
	if err != nil {
		return err
	}
	if !newest.After(after) {
		return errors.New(p.name + ": no new sample")
	}
	p.cuts = append(p.cuts, newest)
	return nil
}

func (p *path) newest(ctx context.Context) (time.Time, error) {
	all, err := p.server.Times(ctx, time.Now(), "jobs_done_total", time.Minute)
	if err == nil && len(all) == 0 {
		err = errors.New(p.name + ": no samples of jobs_done_total")
	}
	if err != nil {
		return time.Time{}, err
	}
	return all[len(all)-1], nil
}

// seen are the totals over all series at an instant.
func (p *path) seen(ctx context.Context, at time.Time) (worker.Totals, error) {
	vector, err := p.server.Vector(ctx, at, fmt.Sprintf("{__name__=~%q}", strings.Join(counters, "|")))
	if err != nil {
		return nil, err
	}
	samples := exposition.Samples{}
	for _, s := range vector {
		labels := s.Metric.Map()
		name := labels["__name__"]
		delete(labels, "__name__")
		if bound, ok := labels["le"]; ok {
			if labels["le"], err = canonical(bound); err != nil {
				return nil, err
			}
		}
		samples[exposition.Key(name, labels)] = exposition.Sample{Name: name, Labels: labels, Value: s.F}
	}
	return worker.Seen(samples, nil), nil
}

// canonical writes a bound as workers' totals do: a scrape has made 2.0 of 2.
func canonical(bound string) (string, error) {
	v, err := strconv.ParseFloat(bound, 64)
	if err != nil {
		return "", err
	}
	if bound == "+Inf" {
		return bound, nil
	}
	return strconv.FormatFloat(v, 'g', -1, 64), nil
}

// window is the range for a query at the later sample that holds both. Ranges
// are open on the left, so it begins a millisecond before the earlier one.
func window(from, to time.Time) string {
	return fmt.Sprintf("%dms", to.Sub(from).Milliseconds()+1)
}

// stretch is by how much increase() exceeds the difference of the two samples at
// the ends of such a window: it extrapolates to the window's beginning.
func stretch(from, to time.Time) float64 {
	span := float64(to.Sub(from).Milliseconds())
	return (span + 1) / span
}
