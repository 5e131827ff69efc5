// Package monotone watches Prometheus endpoints for what must never happen: a
// counter, count, sum or bucket that falls or disappears.
package monotone

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"sync"
	"time"

	"github.com/otelcol-workers/otelcol-workers/e2e/exposition"
)

// Watcher scrapes one endpoint, again and again, until it is stopped.
type Watcher struct {
	url  string
	stop context.CancelFunc
	done chan struct{}

	mu     sync.Mutex
	report Report
	last   exposition.Samples
	seen   map[string]float64 // the latest value of every monotonic sample
	gone   map[string]bool    // those that have disappeared
}

// Report is what a Watcher has seen.
type Report struct {
	// Scrapes counts the answers, Failed the scrapes without one.
	Scrapes, Failed int
	// LastError is that of the latest failed scrape.
	LastError error
	// Rises counts the times that a sample was higher than in the scrape before.
	Rises int
	// Falls are the violations, oldest first.
	Falls []Fall
}

// Fall is a monotonic sample that fell, or disappeared: then To is NaN.
type Fall struct {
	Sample   string
	From, To float64
	Scrape   int
	At       time.Time
}

func (f Fall) String() string {
	to := strconv.FormatFloat(f.To, 'g', -1, 64)
	if math.IsNaN(f.To) {
		to = "nothing"
	}
	return fmt.Sprintf("%s fell from %s to %s in scrape %d", f.Sample, strconv.FormatFloat(f.From, 'g', -1, 64), to, f.Scrape)
}

// Watch starts to scrape the url, at this interval. The caller must Stop it.
func Watch(url string, interval time.Duration) *Watcher {
	ctx, cancel := context.WithCancel(context.Background())
	w := &Watcher{url: url, stop: cancel, done: make(chan struct{}), seen: map[string]float64{}, gone: map[string]bool{}}
	go func() {
		defer close(w.done)
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			samples, err := exposition.Fetch(ctx, url)
			if ctx.Err() != nil {
				return
			}
			w.note(samples, err)
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}()
	return w
}

// Report is what has been seen so far.
func (w *Watcher) Report() Report {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.report
	r.Falls = append([]Fall(nil), r.Falls...)
	return r
}

// Last is the latest scrape that succeeded; nil before the first.
func (w *Watcher) Last() exposition.Samples {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.last
}

// Stop ends the watch and returns what it has seen.
func (w *Watcher) Stop() Report {
	w.stop()
	<-w.done
	return w.Report()
}

func (w *Watcher) note(samples exposition.Samples, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.report.Failed++
		w.report.LastError = err
		return
	}
	w.report.Scrapes++
	w.last = samples
	for key, before := range w.seen {
		now, ok := samples[key]
		switch {
		case !ok && !w.gone[key]:
			w.gone[key] = true
			w.fall(key, before, math.NaN())
		case !ok:
		case now.Value < before || math.IsNaN(now.Value):
			w.fall(key, before, now.Value)
		case now.Value > before:
			w.report.Rises++
		}
	}
	for key, now := range samples {
		if now.Monotonic {
			w.seen[key] = now.Value
			delete(w.gone, key)
		}
	}
}

func (w *Watcher) fall(key string, from, to float64) {
	w.report.Falls = append(w.report.Falls, Fall{Sample: key, From: from, To: to, Scrape: w.report.Scrapes, At: time.Now()})
}
