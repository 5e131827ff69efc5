//go:build !race

package promtest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/otelcol-workers/otelcol-workers/e2e/exposition"
	"github.com/otelcol-workers/otelcol-workers/e2e/fleet"
	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
)

// way is what happens to a worker in a round, after it has worked and pushed.
type way string

const (
	// kill: SIGKILL, with jobs counted but not pushed; those are lost.
	kill way = "killed"
	// goodbye: SIGTERM; the last jobs go with the goodbye.
	goodbye way = "said goodbye"
	// zombie: it is blocked and replaced, wakes up, works on and is killed.
	zombie way = "blocked and replaced, woke up, killed"
	// stall: SIGSTOP until it is taken for dead, then SIGCONT; it works on.
	stall way = "stalled and came back"
	// spare: nothing.
	spare way = "spared"
)

var ways = []way{kill, stall, goodbye, zombie, spare}

func (c *crew) happen(ctx context.Context, p *place, what way) error {
	old := p.worker
	if err := p.serve(ctx, old); err != nil {
		return err
	}
	switch what {
	case spare:
		return nil
	case stall:
		if err := c.stall(ctx, old); err != nil {
			return err
		}
		return p.serve(ctx, old)
	case zombie:
		if err := c.haunt(ctx, p, old); err != nil {
			return err
		}
		return c.end(ctx, p, old, what)
	default:
		if err := c.end(ctx, p, old, what); err != nil {
			return err
		}
		if err := c.open(ctx, p); err != nil {
			return err
		}
		return p.serve(ctx, p.worker)
	}
}

// end makes a worker count a last time, without a push, and die.
func (c *crew) end(ctx context.Context, p *place, w *fleet.Worker, how way) error {
	if err := p.work(ctx, w); err != nil {
		return err
	}
	die := w.Kill
	if how == goodbye {
		die = func() error { return w.Goodbye(ctx) }
	}
	err := die()
	c.bury(w, how)
	return err
}

// haunt lets a worker and its replacement push in turns, slowly enough for who
// takes them for one to see both.
func (c *crew) haunt(ctx context.Context, p *place, old *fleet.Worker) error {
	if err := old.Stall(); err != nil {
		return err
	}
	if err := c.open(ctx, p); err != nil {
		return err
	}
	if err := p.serve(ctx, p.worker); err != nil {
		return err
	}
	if err := c.scraped(ctx); err != nil {
		return err
	}
	if err := p.worker.Stall(); err != nil {
		return err
	}
	if err := old.Resume(); err != nil {
		return err
	}
	if err := p.serve(ctx, old); err != nil {
		return err
	}
	if err := c.scraped(ctx); err != nil {
		return err
	}
	return p.worker.Resume()
}

// scraped waits for the next scrape of the plain pipeline.
func (c *crew) scraped(ctx context.Context) error {
	asked := time.Now()
	return await(ctx, func() error {
		newest, err := c.plain.newest(ctx)
		if err == nil && !newest.After(asked) {
			err = errors.New("no scrape of the plain pipeline")
		}
		return err
	})
}

// stall blocks a worker until the collector has taken it for dead: the gauge
// with its name has gone.
func (c *crew) stall(ctx context.Context, w *fleet.Worker) error {
	if err := c.shown(ctx, w, true); err != nil {
		return err
	}
	if err := w.Stall(); err != nil {
		return err
	}
	if err := c.shown(ctx, w, false); err != nil {
		return err
	}
	c.mu.Lock()
	c.deaths[stall]++
	c.mu.Unlock()
	return w.Resume()
}

func (c *crew) shown(ctx context.Context, w *fleet.Worker, want bool) error {
	return await(ctx, func() error {
		samples, err := exposition.Fetch(ctx, harness.MetricsURL(c.collector.Addr("ours metrics")))
		if err != nil {
			return err
		}
		if len(samples.Match("worker_busy", map[string]string{"life": w.Name()})) > 0 != want {
			return fmt.Errorf("%s is shown as living: %t", w.Name(), !want)
		}
		return nil
	})
}
