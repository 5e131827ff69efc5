package scenario

import (
	"context"
	"sync"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/processor"
)

// naive is a processor as one would write it in an hour: it adds up the last
// values of int counters by worker and forgets workers that are silent for 10 s.
// The runner must see through it.
type naive struct {
	next  consumer.Metrics
	birth time.Time
	stop  chan struct{}
	done  sync.WaitGroup

	mu   sync.Mutex
	last map[string]pushed
}

type pushed struct {
	value int64
	at    time.Time
}

type naiveConfig struct {
	FlushInterval time.Duration `mapstructure:"flush_interval"`
	StaleAfter    string        `mapstructure:"stale_after"`
	Storage       string        `mapstructure:"storage"`
}

func naiveFactory() processor.Factory {
	return processor.NewFactory(component.MustNewType("naive"),
		func() component.Config { return &naiveConfig{} },
		processor.WithMetrics(func(_ context.Context, set processor.Settings, cfg component.Config, next consumer.Metrics) (processor.Metrics, error) {
			p := &naive{next: next, stop: make(chan struct{}), last: map[string]pushed{}}
			counter, err := set.MeterProvider.Meter("naive").Int64Counter("otelcol_naive_flushes")
			if err != nil {
				return nil, err
			}
			set.Logger.Info("made")
			p.done.Go(func() {
				ticker := time.NewTicker(cfg.(*naiveConfig).FlushInterval)
				defer ticker.Stop()
				for {
					select {
					case <-ticker.C:
						counter.Add(context.Background(), 1)
						p.flush()
					case <-p.stop:
						return
					}
				}
			})
			return p, nil
		}, component.StabilityLevelDevelopment))
}

func (p *naive) Start(context.Context, component.Host) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.birth = time.Now()
	return nil
}

func (p *naive) Shutdown(context.Context) error {
	close(p.stop)
	p.done.Wait()
	return nil
}

func (p *naive) Capabilities() consumer.Capabilities { return consumer.Capabilities{} }

func (p *naive) ConsumeMetrics(_ context.Context, md pmetric.Metrics) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, rm := range md.ResourceMetrics().All() {
		id, _ := rm.Resource().Attributes().Get("service.instance.id")
		for _, sm := range rm.ScopeMetrics().All() {
			for _, m := range sm.Metrics().All() {
				if m.Type() != pmetric.MetricTypeSum {
					return errRefused
				}
				for _, dp := range m.Sum().DataPoints().All() {
					p.last[id.Str()] = pushed{dp.IntValue(), time.Now()}
				}
			}
		}
	}
	return nil
}

func (p *naive) flush() {
	p.mu.Lock()
	defer p.mu.Unlock()
	md := pmetric.NewMetrics()
	m := md.ResourceMetrics().AppendEmpty().ScopeMetrics().AppendEmpty().Metrics().AppendEmpty()
	m.SetName("c")
	m.SetEmptySum().SetIsMonotonic(true)
	m.Sum().SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
	dp := m.Sum().DataPoints().AppendEmpty()
	dp.SetStartTimestamp(pcommon.NewTimestampFromTime(p.birth))
	dp.SetTimestamp(pcommon.NewTimestampFromTime(time.Now()))
	dp.SetIntValue(0)
	for id, last := range p.last {
		if time.Since(last.at) > 10*time.Second {
			delete(p.last, id)
			continue
		}
		dp.SetIntValue(dp.IntValue() + last.value)
	}
	_ = p.next.ConsumeMetrics(context.Background(), md)
}
