package e2e

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/exposition"
	"github.com/otelcol-workers/otelcol-workers/e2e/fleet"
	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
	"github.com/otelcol-workers/otelcol-workers/e2e/worker"
)

// ledger knows what the totals must be: what each worker, living or dead, last
// pushed with success, by environment.
type ledger struct {
	mu     sync.Mutex
	living map[*fleet.Worker]kind
	buried map[string]worker.Totals
	done   map[way]int
}

func newLedger() *ledger {
	return &ledger{living: map[*fleet.Worker]kind{}, buried: map[string]worker.Totals{}, done: map[way]int{}}
}

func (l *ledger) born(w *fleet.Worker, k kind) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.living[w] = k
}

// died notes that a process has ended.
func (l *ledger) died(w *fleet.Worker) {
	l.mu.Lock()
	defer l.mu.Unlock()
	environment := l.living[w].environment()
	delete(l.living, w)
	if l.buried[environment] == nil {
		l.buried[environment] = worker.Totals{}
	}
	l.buried[environment].Add(w.Pushed())
}

// note counts what has been done to a worker.
func (l *ledger) note(what way) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done[what]++
}

// deaths is the number of processes that have ended or were taken for dead.
func (l *ledger) deaths() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.done[kill] + l.done[goodbye] + l.done[stall]
}

func (l *ledger) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return fmt.Sprintf("%d killed, %d said goodbye, %d stalled and came back, %d of these replaced before they died",
		l.done[kill], l.done[goodbye], l.done[stall], l.done[overlap])
}

func (l *ledger) expected() map[string]worker.Totals {
	l.mu.Lock()
	defer l.mu.Unlock()
	want := map[string]worker.Totals{}
	for environment, totals := range l.buried {
		want[environment] = totals.Clone()
	}
	for w, k := range l.living {
		environment := k.environment()
		if want[environment] == nil {
			want[environment] = worker.Totals{}
		}
		want[environment].Add(w.Pushed())
	}
	return want
}

// check says in what the endpoint differs from what it must show. Nobody may be pushing.
func (l *ledger) check(ctx context.Context, c *collector.Collector) error {
	samples, err := exposition.Fetch(ctx, harness.MetricsURL(c.Addr("prometheus")))
	if err != nil {
		return err
	}
	err = l.totals(samples)
	if active, want := samples.Sum("workers_active", nil), l.shown(); active != want {
		err = errors.Join(err, fmt.Errorf("workers_active is %v, expected %v", active, want))
	}
	return err
}

// checkTotals is check without those who are seen as living.
func (l *ledger) checkTotals(ctx context.Context, c *collector.Collector) error {
	samples, err := exposition.Fetch(ctx, harness.MetricsURL(c.Addr("prometheus")))
	if err != nil {
		return err
	}
	return l.totals(samples)
}

func (l *ledger) totals(samples exposition.Samples) error {
	var errs []error
	for environment, want := range l.expected() {
		seen := worker.Seen(samples, map[string]string{"service_name": "shop", "deployment_environment_name": environment})
		if wrong := seen.Differences(want); len(wrong) > 0 {
			err := fmt.Errorf("%s:\n  %s", environment, strings.Join(wrong, "\n  "))
			if seen.Exceeds(want) {
				err = harness.Hopeless(err) // what never falls stays too high
			}
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// shown is the number of living workers that show that they live.
func (l *ledger) shown() float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0.0
	for _, k := range l.living {
		if k.tellsLivesApart() {
			n++
		}
	}
	return n
}

func (l *ledger) killAll() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for w := range l.living {
		_ = w.Kill()
	}
}
