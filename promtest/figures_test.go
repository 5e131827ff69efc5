//go:build !race

package promtest

import (
	"context"
	"fmt"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/otelcol-workers/otelcol-workers/e2e/worker"
)

// figures are what PromQL makes of the run through one path.
type figures struct {
	path string
	// truth is what the workers did in the run, and increase what increase() says.
	truth, increase float64
	// resets are those of all counters, counts, sums and buckets.
	resets float64
	// rates is how many pairs of neighbouring samples rate() was asked about, and
	// spikes how many of them it gave more than the workers did in that round.
	rates, spikes int
	// worst is the highest number of jobs that rate() saw in such a pair, in
	// relation to what the workers did in that round.
	worst float64
	// quantiles is how many were asked for, and astray how many of them were not
	// in the bucket of the true quantile.
	quantiles, astray int
}

// measure asks for everything. done is what the workers did in each round.
func (p *path) measure(ctx context.Context, done []worker.Totals) (figures, error) {
	all := sum(done)
	first, last := p.cuts[0], p.cuts[len(p.cuts)-1]
	f := figures{path: p.name, truth: all.Jobs()}

	increase, _, err := p.server.Scalar(ctx, last, fmt.Sprintf("sum(increase(jobs_done_total[%s]))", window(first, last)))
	if err != nil {
		return f, err
	}
	f.increase = increase / stretch(first, last)
	for _, name := range counters {
		resets, _, err := p.server.Scalar(ctx, last, fmt.Sprintf("sum(resets(%s[%s]))", name, window(first, last)))
		if err != nil {
			return f, err
		}
		f.resets += resets
	}
	for i, round := range done {
		if err := p.rates(ctx, p.cuts[i], p.cuts[i+1], round.Jobs(), &f); err != nil {
			return f, err
		}
		if err := p.quantiles(ctx, p.cuts[i], p.cuts[i+1], round, &f); err != nil {
			return f, err
		}
	}
	return f, p.quantiles(ctx, first, last, all, &f)
}

// rates asks for the rate between all neighbouring samples of a round. Over more
// samples it is an average of these, so that none can be higher than all of them.
func (p *path) rates(ctx context.Context, from, to time.Time, jobs float64, f *figures) error {
	all, err := p.server.Times(ctx, to, "jobs_done_total", to.Sub(from)+time.Millisecond)
	if err != nil {
		return err
	}
	for i, at := range all[1:] {
		rate, ok, err := p.server.Scalar(ctx, at, fmt.Sprintf("sum(rate(jobs_done_total[%s]))", window(all[i], at)))
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		seen := rate * at.Sub(all[i]).Seconds()
		f.rates++
		if seen > jobs*(1+rounding) {
			f.spikes++
		}
		f.worst = math.Max(f.worst, seen/jobs)
	}
	return nil
}

// rounding is what PromQL's floating point may add or lose.
const rounding = 1e-9

func table(all []figures) string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "path\tjobs done\tincrease()\tresets()\tspikes of rate()\thighest spike\tquantiles astray")
	for _, f := range all {
		fmt.Fprintf(w, "%s\t%.0f\t%.0f\t%.0f\t%d of %d\t%.1f x the truth\t%d of %d\n",
			f.path, f.truth, f.increase, f.resets, f.spikes, f.rates, f.worst, f.astray, f.quantiles)
	}
	_ = w.Flush() // to a strings.Builder
	return text.String()
}
