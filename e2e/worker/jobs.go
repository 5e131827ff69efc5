package worker

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	sdk "go.opentelemetry.io/otel/sdk/metric"
)

// jobs are the worker's instruments, and a ledger of its own of what went into them.
type jobs struct {
	done     metric.Int64Counter
	time     metric.Float64Counter
	duration metric.Float64Histogram
	active   metric.Int64UpDownCounter
	busy     metric.Int64Gauge
	state    metric.Int64Gauge
	counted  Totals
}

func newJobs(provider *sdk.MeterProvider) (*jobs, error) {
	meter := provider.Meter("example.com/jobs")
	j := &jobs{counted: Totals{}}
	var errs [6]error
	j.done, errs[0] = meter.Int64Counter("jobs.done", metric.WithUnit("{job}"))
	j.time, errs[1] = meter.Float64Counter("work.time", metric.WithUnit("s"))
	j.duration, errs[2] = meter.Float64Histogram("job.duration", metric.WithUnit("s"),
		metric.WithExplicitBucketBoundaries(Bounds...))
	j.active, errs[3] = meter.Int64UpDownCounter("workers.active")
	j.busy, errs[4] = meter.Int64Gauge("worker.busy")
	j.state, errs[5] = meter.Int64Gauge("worker.state")
	return j, errors.Join(errs[:]...)
}

func (j *jobs) work(ctx context.Context, queue string, seconds []float64) {
	attrs := metric.WithAttributes(attribute.String("queue", queue))
	for _, s := range seconds {
		j.done.Add(ctx, 1, attrs)
		j.time.Add(ctx, s, attrs)
		j.duration.Record(ctx, s, attrs)
		j.counted.Job(queue, s)
	}
}

// live shows that this life lives.
func (j *jobs) live(ctx context.Context, life string) {
	j.active.Add(ctx, 1)
	j.busy.Record(ctx, 1, metric.WithAttributes(attribute.String("life", life)))
}

func (j *jobs) terminated(ctx context.Context) { j.state.Record(ctx, 2) }
