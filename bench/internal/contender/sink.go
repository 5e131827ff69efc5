package contender

import (
	"context"
	"maps"
	"sync"

	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
)

// Sink is the end of a pipeline. It counts what arrives and keeps it if told to.
type Sink struct {
	mu     sync.Mutex
	record bool
	totals payload.Totals
	last   pmetric.Metrics
	calls  int
}

// NewSink makes a sink that keeps nothing yet.
func NewSink() *Sink {
	return &Sink{totals: payload.Totals{}, last: pmetric.NewMetrics()}
}

// Capabilities implements consumer.Metrics.
func (*Sink) Capabilities() consumer.Capabilities { return consumer.Capabilities{} }

// ConsumeMetrics implements consumer.Metrics.
func (s *Sink) ConsumeMetrics(_ context.Context, md pmetric.Metrics) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	if s.record {
		s.totals.Add(md)
		md.CopyTo(s.last)
	}
	return nil
}

// Record says whether output is kept.
func (s *Sink) Record(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.record = on
}

// Totals are the newest values of all series recorded.
func (s *Sink) Totals() payload.Totals {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.totals)
}

// Last is the newest output recorded.
func (s *Sink) Last() pmetric.Metrics {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// Calls is how often output arrived.
func (s *Sink) Calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}
