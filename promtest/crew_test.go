//go:build !race

package promtest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/fleet"
	"github.com/otelcol-workers/otelcol-workers/e2e/worker"
)

// crew is five places, each held by one worker after another, and the truth
// about all of them.
type crew struct {
	collector *collector.Collector
	plain     *path
	places    []*place

	mu     sync.Mutex
	buried worker.Totals
	living map[*fleet.Worker]bool
	deaths map[way]int
}

type place struct {
	name   string
	lives  int
	worker *fleet.Worker
	rand   *rand.Rand
}

const places = 5

// The first worker of a place does so many jobs at once that whoever comes after
// it is below for the rest of the test. So each death is a fall for who reads the
// place's counter as one.
const veteran = 200

func hire(ctx context.Context, c *collector.Collector, plain *path) (*crew, error) {
	all := &crew{collector: c, plain: plain, buried: worker.Totals{}, living: map[*fleet.Worker]bool{}, deaths: map[way]int{}}
	for i := range places {
		all.places = append(all.places, &place{name: fmt.Sprintf("shop-%d", i+1), rand: rand.New(rand.NewPCG(1, uint64(i)))})
	}
	return all, all.each(ctx, func(ctx context.Context, p *place) error {
		if err := all.open(ctx, p); err != nil {
			return err
		}
		for _, queue := range worker.Queues {
			if err := p.worker.Work(ctx, queue, p.seconds(veteran)...); err != nil {
				return err
			}
		}
		return p.worker.Push(ctx)
	})
}

// round lets everybody work and push, and some die. Afterwards nothing is under way.
func (c *crew) round(ctx context.Context, n int) error {
	return c.each(ctx, func(ctx context.Context, p *place) error {
		return c.happen(ctx, p, ways[(n+p.number())%len(ways)])
	})
}

func (c *crew) each(ctx context.Context, do func(context.Context, *place) error) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, p := range c.places {
		group.Go(func() error {
			if err := do(ctx, p); err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			return nil
		})
	}
	return group.Wait()
}

// open starts the next worker of a place. All have the place's
// service.instance.id, as in a StatefulSet or under PM2.
func (c *crew) open(ctx context.Context, p *place) error {
	p.lives++
	options := fleet.Options{Name: fmt.Sprintf("%s#%d", p.name, p.lives), Service: "shop", GRPC: c.collector.Addr("ours")}
	options.Also = "http://" + c.collector.Addr("plain")
	options.Resource = map[string]string{"service.instance.id": p.name, "deployment.environment.name": "production"}
	options.Detect = true
	options.Life = options.Name
	// Well below stale_after, so that only who is dead or stalled seems so.
	options.Heartbeat = heartbeat
	w, err := fleet.Start(ctx, options)
	if err != nil {
		return err
	}
	p.worker = w
	c.mu.Lock()
	defer c.mu.Unlock()
	c.living[w] = true
	return nil
}

func (c *crew) bury(w *fleet.Worker, how way) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.living, w)
	c.buried.Add(w.Pushed())
	c.deaths[how]++
}

// total is the truth: what all workers, living or dead, have pushed.
func (c *crew) total() worker.Totals {
	c.mu.Lock()
	defer c.mu.Unlock()
	sum := c.buried.Clone()
	for w := range c.living {
		sum.Add(w.Pushed())
	}
	return sum
}

func (c *crew) killAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for w := range c.living {
		_ = w.Kill()
	}
}

// serve makes a worker count some jobs and push them, three times.
func (p *place) serve(ctx context.Context, w *fleet.Worker) error {
	for range 3 {
		if err := p.work(ctx, w); err != nil {
			return err
		}
		if err := w.Push(ctx); err != nil {
			return err
		}
	}
	return nil
}

// work makes a worker count a few jobs of each queue, without a push.
func (p *place) work(ctx context.Context, w *fleet.Worker) error {
	for _, queue := range worker.Queues {
		if err := w.Work(ctx, queue, p.seconds(1+p.rand.IntN(3))...); err != nil {
			return err
		}
	}
	return nil
}

// seconds are durations of jobs, up to 16 s in eighths.
func (p *place) seconds(n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = float64(1+p.rand.IntN(128)) / 8
	}
	return all
}

// number is the place's own, to let different things happen at the same time.
func (p *place) number() int { return int(p.name[len(p.name)-1] - '0') }
