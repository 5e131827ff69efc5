package e2e

import (
	"context"
	"fmt"
	"time"

	"github.com/otelcol-workers/otelcol-workers/e2e/fleet"
	"github.com/otelcol-workers/otelcol-workers/e2e/monotone"
)

// way is what can happen to a worker.
type way string

const (
	// kill: SIGKILL, with jobs counted but not pushed; those are lost.
	kill way = "kill"
	// goodbye: SIGTERM; the last jobs go with the goodbye.
	goodbye way = "goodbye"
	// stall: SIGSTOP until it is taken for dead, then SIGCONT.
	stall way = "stall"
	// overlap: its replacement starts, under the same identity, before it dies.
	overlap way = "overlap"
	// zombie: it stalls, is replaced, is taken for dead, wakes up, works on and says goodbye.
	zombie way = "zombie"
	// interrupt: stall in the middle of a push.
	interrupt way = "interrupt"

	// What the collector must have noticed of it.
	foldedByGoodbye way = "folded by goodbye"
	returned        way = "returned"
)

// act lets the next thing happen to the slot's worker. Afterwards the slot has
// a living one, and nothing is under way.
func (s *slot) act(ctx context.Context, watch *monotone.Watcher) error {
	if len(s.todo) == 0 {
		s.todo = []way{kill, kill, goodbye, goodbye, overlap, overlap}
		if s.kind.tellsLivesApart() {
			s.todo = append(s.todo, stall, zombie, interrupt)
		}
		s.rand.Shuffle(len(s.todo), func(i, j int) { s.todo[i], s.todo[j] = s.todo[j], s.todo[i] })
	}
	next := s.todo[0]
	s.todo = s.todo[1:]
	if err := s.happen(ctx, watch, next); err != nil {
		return fmt.Errorf("%s: %s: %w", s.name, next, err)
	}
	return nil
}

func (s *slot) happen(ctx context.Context, watch *monotone.Watcher, what way) error {
	old := s.worker
	if err := s.serve(ctx, old); err != nil {
		return err
	}
	switch what {
	case kill, goodbye:
		if err := s.end(ctx, old, what); err != nil {
			return err
		}
		return s.open(ctx)
	case overlap:
		if err := s.open(ctx); err != nil {
			return err
		}
		s.book.note(overlap)
		if err := s.serve(ctx, old); err != nil {
			return err
		}
		return s.end(ctx, old, []way{kill, goodbye}[s.rand.IntN(2)])
	case stall:
		if err := s.stall(ctx, watch, old, nil); err != nil {
			return err
		}
		return s.serve(ctx, old)
	case interrupt:
		return s.interrupt(ctx, watch, old)
	case zombie:
		if err := s.stall(ctx, watch, old, func() error { return s.open(ctx) }); err != nil {
			return err
		}
		s.book.note(overlap)
		if err := s.serve(ctx, old); err != nil {
			return err
		}
		return s.end(ctx, old, goodbye)
	default:
		return fmt.Errorf("unknown way %q", what)
	}
}

// end makes the worker count a last time, without a push, and die.
func (s *slot) end(ctx context.Context, w *fleet.Worker, how way) error {
	if err := s.work(ctx, w); err != nil {
		return err
	}
	var err error
	if how == goodbye {
		err = w.Goodbye(ctx)
	} else {
		err = w.Kill()
	}
	s.book.died(w)
	s.book.note(how)
	if how == goodbye && s.kind.tellsLivesApart() {
		s.book.note(foldedByGoodbye)
	}
	return err
}

// stall blocks the worker until the collector has taken it for dead: its gauge
// disappears. Meanwhile something may happen.
func (s *slot) stall(ctx context.Context, watch *monotone.Watcher, w *fleet.Worker, meanwhile func() error) error {
	if err := shown(ctx, watch, w, true); err != nil {
		return err
	}
	if err := w.Stall(); err != nil {
		return err
	}
	if meanwhile != nil {
		if err := meanwhile(); err != nil {
			return err
		}
	}
	if err := shown(ctx, watch, w, false); err != nil {
		return err
	}
	s.book.note(stall)
	if !s.kind.delta { // deltas have no run that could be known again
		s.book.note(returned)
	}
	return w.Resume()
}

// shown waits until the worker is, or is not, among the living.
func shown(ctx context.Context, watch *monotone.Watcher, w *fleet.Worker, want bool) error {
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for len(watch.Last().Match("worker_busy", map[string]string{"life": w.Name()})) > 0 != want {
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: shown as living: %t for ever: %w", w.Name(), !want, ctx.Err())
		case <-tick.C:
		}
	}
	return nil
}

// interrupt stalls the worker while a push is under way, at whatever point of it.
func (s *slot) interrupt(ctx context.Context, watch *monotone.Watcher, w *fleet.Worker) error {
	if err := s.work(ctx, w); err != nil {
		return err
	}
	if err := shown(ctx, watch, w, true); err != nil {
		return err
	}
	pushed := make(chan error, 1)
	go func() { pushed <- w.Push(ctx) }()
	if err := s.stall(ctx, watch, w, nil); err != nil {
		return err
	}
	if err := <-pushed; err != nil {
		return err
	}
	return s.serve(ctx, w)
}
