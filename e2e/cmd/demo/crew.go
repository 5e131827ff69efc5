package main

import (
	"context"
	"fmt"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/fleet"
	"github.com/otelcol-workers/otelcol-workers/e2e/worker"
)

// crew is a handful of workers, and the truth about them.
type crew struct {
	collector *collector.Collector
	places    []place
	buried    worker.Totals
}

// place is held by one worker after another.
type place struct {
	worker  *fleet.Worker
	stalled bool
	// jobs is what a worker here does between two pushes.
	jobs int
}

func newCrew(c *collector.Collector) *crew {
	return &crew{collector: c, places: []place{{jobs: 7}, {jobs: 3}, {jobs: 5}, {jobs: 2}, {jobs: 4}}, buried: worker.Totals{}}
}

// hire starts a worker for the place.
func (c *crew) hire(ctx context.Context, i int) error {
	options := fleet.Options{Name: fmt.Sprint("worker ", i+1), Service: "shop", GRPC: c.collector.Addr("ours")}
	options.Also = "http://" + c.collector.Addr("plain")
	options.Resource = map[string]string{"service.instance.id": fmt.Sprint("shop-", i+1)}
	options.Detect = true
	w, err := fleet.Start(ctx, options)
	if err != nil {
		return err
	}
	c.places[i].worker = w
	return nil
}

// work lets the worker of the place do its jobs and push them, unless it is stalled.
func (c *crew) work(ctx context.Context, i int) error {
	p := c.places[i]
	if p.stalled {
		return nil
	}
	if err := p.worker.Work(ctx, worker.Queues[0], make([]float64, p.jobs)...); err != nil {
		return err
	}
	return p.worker.Push(ctx)
}

// bury adds up what the dead worker of the place had pushed.
func (c *crew) bury(i int) { c.buried.Add(c.places[i].worker.Pushed()) }

// total is the true total: all jobs that workers, living or dead, have pushed.
func (c *crew) total() float64 {
	sum := c.buried.Jobs()
	for _, p := range c.places {
		sum += p.worker.Pushed().Jobs()
	}
	return sum
}

func (c *crew) killAll() {
	for _, p := range c.places {
		if p.worker != nil {
			_ = p.worker.Kill()
		}
	}
}
