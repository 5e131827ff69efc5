package deadworkerretain

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/core"
)

// observe shows what the table holds as self-metrics.
func (p *retain) observe() error {
	t := p.telemetry
	var age error
	if p.disk != nil {
		age = t.RegisterDeadworkerretainCheckpointAgeCallback(p.checkpointAge)
	}
	return errors.Join(age,
		t.RegisterDeadworkerretainLivesCallback(func(_ context.Context, o metric.Int64Observer) error {
			s := p.stats()
			observeWith(o, "state", "running", uint64(s.Running))
			observeWith(o, "state", "quiet", uint64(s.Quiet))
			observeWith(o, "state", "dead", uint64(s.Dead))
			return nil
		}),
		t.RegisterDeadworkerretainStreamsCallback(p.observed(func(s *core.Stats) int { return s.Streams })),
		t.RegisterDeadworkerretainSeriesCallback(p.observed(func(s *core.Stats) int { return s.Series })),
		t.RegisterDeadworkerretainTombstonesCallback(p.observed(func(s *core.Stats) int { return s.Dead })),
		t.RegisterDeadworkerretainSharedIdentitiesCallback(p.observed(func(s *core.Stats) int { return s.SharedIdentities })),
		t.RegisterDeadworkerretainReturnsCallback(p.observed(func(s *core.Stats) int { return int(s.Returns) })),
		t.RegisterDeadworkerretainInheritedSuspectedCallback(p.observed(func(s *core.Stats) int { return int(s.Inherited) })),
		t.RegisterDeadworkerretainLayoutConflictsCallback(p.observed(func(s *core.Stats) int { return int(s.LayoutConflicts) })),
		t.RegisterDeadworkerretainFoldsCallback(func(_ context.Context, o metric.Int64Observer) error {
			s := p.stats()
			for reason, n := range s.FoldsByReason {
				observeWith(o, "reason", reason, n)
			}
			return nil
		}),
		t.RegisterDeadworkerretainPointsCallback(func(_ context.Context, o metric.Int64Observer) error {
			s := p.stats()
			for outcome, n := range s.PointsByOutcome {
				observeWith(o, "outcome", outcome, n)
			}
			return nil
		}),
	)
}

// checkpointAge counts from the start until a first checkpoint is written.
func (p *retain) checkpointAge(_ context.Context, o metric.Float64Observer) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	o.Observe(float64(p.now().Mono-p.disk.saved) / 1e9)
	return nil
}

func (p *retain) stats() core.Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.table.Stats()
}

func (p *retain) observed(value func(*core.Stats) int) metric.Int64Callback {
	return func(_ context.Context, o metric.Int64Observer) error {
		s := p.stats()
		o.Observe(int64(value(&s)))
		return nil
	}
}

func observeWith(o metric.Int64Observer, key, value string, n uint64) {
	o.Observe(int64(n), metric.WithAttributes(attribute.String(key, value)))
}
