package main

import (
	"context"
	"fmt"
	"time"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
)

const (
	length = 42 * time.Second
	// Each worker pushes at this interval, one after the other.
	pushes   = 200 * time.Millisecond
	scrapes  = 330 * time.Millisecond
	patience = 30 * time.Second
)

// fate is what happens to a worker.
type fate struct {
	symbol, text, colour string
	befall               func(context.Context, *crew, int) error
}

var (
	killed = fate{"✕", "killed (SIGKILL)", "#cf222e", func(ctx context.Context, c *crew, i int) error {
		if err := c.places[i].worker.Kill(); err != nil {
			return err
		}
		c.bury(i)
		return c.hire(ctx, i)
	}}
	goodbye = fate{"○", "said goodbye (SIGTERM)", "#1a7f37", func(ctx context.Context, c *crew, i int) error {
		if err := c.places[i].worker.Goodbye(ctx); err != nil {
			return err
		}
		c.bury(i)
		return c.hire(ctx, i)
	}}
	stalled = fate{"‖", "stalled (SIGSTOP)", "#9a6700", func(_ context.Context, c *crew, i int) error {
		c.places[i].stalled = true
		return c.places[i].worker.Stall()
	}}
	awake = fate{"▸", "awake again (SIGCONT)", "#8250df", func(_ context.Context, c *crew, i int) error {
		c.places[i].stalled = false
		return c.places[i].worker.Resume()
	}}
)

// story says when what happens to whom.
var story = []struct {
	at     time.Duration
	fate   fate
	worker int
}{
	{4 * time.Second, killed, 2},
	{6 * time.Second, goodbye, 4},
	{8 * time.Second, stalled, 1},
	{10 * time.Second, killed, 3},
	{12 * time.Second, killed, 5},
	{14 * time.Second, awake, 1},
	{16 * time.Second, goodbye, 2},
	{18 * time.Second, killed, 4},
	{20 * time.Second, stalled, 3},
	{22 * time.Second, killed, 1},
	{24 * time.Second, goodbye, 5},
	{26 * time.Second, awake, 3},
	{28 * time.Second, killed, 2},
	{30 * time.Second, killed, 4},
	{32 * time.Second, stalled, 5},
	{34 * time.Second, goodbye, 3},
	{36 * time.Second, killed, 1},
	{38 * time.Second, awake, 5},
	{40 * time.Second, killed, 2},
}

// play lets the workers work, the story happen, and both totals be seen.
func play(ctx context.Context, c *collector.Collector, crew *crew, r *record) error {
	push := time.NewTicker(pushes / time.Duration(len(crew.places)))
	scrape := time.NewTicker(scrapes)
	defer push.Stop()
	defer scrape.Stop()
	turn, next := 0, 0
	for r.elapsed() < length {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-push.C:
			if err := crew.work(ctx, turn%len(crew.places)); err != nil {
				return err
			}
			turn++
			if next < len(story) && r.elapsed() >= story[next].at {
				event := story[next]
				next++
				if err := event.fate.befall(ctx, crew, event.worker-1); err != nil {
					return fmt.Errorf("worker %d, %s: %w", event.worker, event.fate.text, err)
				}
				r.happened(event.worker, event.fate)
			}
		case <-scrape.C:
			ours, plain, err := shown(ctx, c)
			if err != nil {
				return err
			}
			r.add(crew.total(), ours, plain)
		}
	}
	return nil
}
