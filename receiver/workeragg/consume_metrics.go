package workeragg

import (
	"context"

	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// mutates says that our consumers write into what the stock receiver hands them.
var mutates = consumer.WithCapabilities(consumer.Capabilities{MutatesData: true})

// consumeMetrics adds the signal of the push's headers to its data, so that the
// pipeline applies both or neither, data first.
func (r *workerReceiver) consumeMetrics(ctx context.Context, md pmetric.Metrics) error {
	p := pushFrom(ctx)
	p.consumed = true
	blocks := make([]block, 0, 4)
	var signals []signal
	for _, rm := range md.ResourceMetrics().All() {
		content := scan(rm)
		b := r.observe(p, rm.Resource(), int64(content.newest), true)
		for _, s := range content.signals {
			signals = append(signals, signal{Signal: s, source: sourceInBand, life: b.life})
		}
		blocks = append(blocks, b)
	}
	r.learnName(p, blocks)
	if p.saysState {
		added, err := r.addSignal(p, md, blocks)
		if err != nil {
			p.fenced = isFenced(err)
			r.countFenced(ctx, err)
			return err
		}
		signals = append(signals, added...)
	}
	err := r.send(ctx, md, signals...)
	p.fenced = err != nil && isFenced(err)
	return err
}

// addSignal puts the push's signal behind the data of the life that it is
// about, or behind all data if that is none of those.
func (r *workerReceiver) addSignal(p *push, md pmetric.Metrics, blocks []block) ([]signal, error) {
	chosen, err := r.ofSender(p, blocks)
	if err != nil {
		return nil, err
	}
	if len(chosen) == 0 {
		return r.addApart(p, md)
	}
	s := p.signal()
	added := make([]signal, 0, len(chosen))
	for _, i := range chosen {
		s.life = blocks[i].life
		s.AppendTo(md.ResourceMetrics().At(i))
		added = append(added, s)
	}
	return added, nil
}

// addApart adds the push's signal on a resource of its own.
func (r *workerReceiver) addApart(p *push, md pmetric.Metrics) ([]signal, error) {
	to, err := r.resolve(p.query())
	if err != nil {
		return nil, err
	}
	s := p.signal()
	s.life = to.life
	rm := md.ResourceMetrics().AppendEmpty()
	to.resource.CopyTo(rm.Resource())
	s.AppendTo(rm)
	return []signal{s}, nil
}

// content is what the receiver wants to know of a resource's metrics.
type content struct {
	// newest is the time of the first data point. All points that an SDK sends
	// at once are of one time.
	newest  pcommon.Timestamp
	signals []lifecycle.Signal
}

func scan(rm pmetric.ResourceMetrics) content {
	var c content
	for _, sm := range rm.ScopeMetrics().All() {
		for _, m := range sm.Metrics().All() {
			if m.Name() == lifecycle.MetricName && lifecycle.IsSignal(m) {
				c.signals = appendSignals(c.signals, m)
			} else if c.newest == 0 {
				c.newest = firstTime(m)
			}
		}
	}
	return c
}

// appendSignals reads the points of a signal. What cannot be read is for the
// processor to refuse.
func appendSignals(signals []lifecycle.Signal, m pmetric.Metric) []lifecycle.Signal {
	for _, dp := range m.Gauge().DataPoints().All() {
		if s, err := lifecycle.Read(dp); err == nil {
			signals = append(signals, s)
		}
	}
	return signals
}

func firstTime(m pmetric.Metric) pcommon.Timestamp {
	switch m.Type() {
	case pmetric.MetricTypeSum:
		return first(m.Sum().DataPoints())
	case pmetric.MetricTypeGauge:
		return first(m.Gauge().DataPoints())
	case pmetric.MetricTypeHistogram:
		return first(m.Histogram().DataPoints())
	case pmetric.MetricTypeExponentialHistogram:
		return first(m.ExponentialHistogram().DataPoints())
	case pmetric.MetricTypeSummary:
		return first(m.Summary().DataPoints())
	default:
		return 0
	}
}

type timed interface{ Timestamp() pcommon.Timestamp }

type points[P timed] interface {
	Len() int
	At(int) P
}

func first[P timed](all points[P]) pcommon.Timestamp {
	if all.Len() == 0 {
		return 0
	}
	return all.At(0).Timestamp()
}
