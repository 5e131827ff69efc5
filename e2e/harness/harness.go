// Package harness ties the collector, the workers and the watchers to a test:
// what a test starts with it ends with the test.
package harness

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/fleet"
	"github.com/otelcol-workers/otelcol-workers/e2e/monotone"
)

// Patience is how long to wait for what must happen. It decides how late a test
// fails, never whether: even a very slow machine is faster.
const Patience = 2 * time.Minute

// Context ends after [Patience], or with the test.
func Context(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), Patience)
	t.Cleanup(cancel)
	return ctx
}

// Collector starts the built collector and stops it at the end of the test,
// which it skips under -short. Without Dir it runs in a directory of its own.
func Collector(t testing.TB, options collector.Options) *collector.Collector {
	t.Helper()
	if testing.Short() {
		t.Skip("needs the built collector")
	}
	if options.Dir == "" {
		options.Dir = t.TempDir()
	}
	c, err := collector.Start(Context(t), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), Patience)
		defer cancel()
		if err := c.Stop(ctx); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("the collector's last words:\n%s", c.Logs().Tail(40))
		}
	})
	return c
}

// Worker starts a worker and kills it at the end of the test, if it still lives.
func Worker(t testing.TB, options fleet.Options) *fleet.Worker {
	t.Helper()
	w, err := fleet.Start(Context(t), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Kill(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// Watch scrapes the /metrics of an address until the end of the test.
func Watch(t testing.TB, addr string, interval time.Duration) *monotone.Watcher {
	t.Helper()
	w := monotone.Watch(MetricsURL(addr), interval)
	t.Cleanup(func() { w.Stop() })
	return w
}

// MetricsURL is where a Prometheus endpoint on this address shows its metrics.
func MetricsURL(addr string) string { return "http://" + addr + "/metrics" }

// Hopeless marks an error of a condition that no waiting can mend.
func Hopeless(err error) error { return hopeless{err} }

type hopeless struct{ error }

// Eventually waits until the condition holds: until it returns nil. The test
// fails with its last error after [Patience], or at once if that is [Hopeless].
func Eventually(t testing.TB, condition func(context.Context) error) {
	t.Helper()
	ctx := Context(t)
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	last := errors.New("never asked")
	for {
		err := condition(ctx)
		if err == nil {
			return
		}
		if errors.As(err, &hopeless{}) {
			t.Fatal(err)
		}
		if ctx.Err() != nil {
			t.Fatalf("still not so after %s: %v", Patience, last)
		}
		last = err
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// Must fails the test on an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
