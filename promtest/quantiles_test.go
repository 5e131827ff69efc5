//go:build !race

package promtest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/otelcol-workers/otelcol-workers/e2e/exposition"
	"github.com/otelcol-workers/otelcol-workers/e2e/worker"
)

// quantiles asks for quantiles of what the workers did between two samples, by
// queue and over all.
func (p *path) quantiles(ctx context.Context, from, to time.Time, done worker.Totals, f *figures) error {
	for _, queues := range append([]string{strings.Join(worker.Queues, "|")}, worker.Queues...) {
		for _, q := range []float64{0.1, 0.5, 0.9, 0.95, 0.99} {
			got, ok, err := p.server.Scalar(ctx, to, fmt.Sprintf(
				`histogram_quantile(%v, sum by (le) (rate(job_duration_seconds_bucket{queue=~"%s"}[%s])))`, q, queues, window(from, to)))
			if err != nil {
				return err
			}
			f.quantiles++
			if !ok || !within(got, q, done, strings.Split(queues, "|")) {
				f.astray++
			}
		}
	}
	return nil
}

// within reports whether a quantile is in the bucket that really holds it.
func within(got, q float64, done worker.Totals, queues []string) bool {
	bounds := append(slices.Clone(worker.Bounds), math.Inf(1))
	rank := q * upTo(done, queues, math.Inf(1))
	lower := 0.0
	for _, upper := range bounds {
		if n := upTo(done, queues, upper); n >= rank*(1-rounding) {
			if math.IsInf(upper, 1) {
				return got == lower // PromQL's answer for the last bucket
			}
			return got > lower && got <= upper*(1+rounding)
		}
		lower = upper
	}
	return false
}

// upTo is the number of jobs that took no longer than this.
func upTo(done worker.Totals, queues []string, bound float64) float64 {
	le := "+Inf"
	if !math.IsInf(bound, 1) {
		le = fmt.Sprint(bound)
	}
	n := 0.0
	for _, queue := range queues {
		n += done[exposition.Key("job_duration_seconds_bucket", map[string]string{"queue": queue, "le": le})]
	}
	return n
}
