package workeragg

import (
	"context"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.uber.org/zap"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// heartbeatEvery is how often, at most, pushes of traces and logs become
// heartbeats in the metrics pipeline. Staleness takes 60 s or more by default.
const heartbeatEvery = 5 * time.Second

func (r *workerReceiver) consumeTraces(ctx context.Context, td ptrace.Traces) error {
	resources := func(yield func(pcommon.Resource)) {
		for _, rs := range td.ResourceSpans().All() {
			yield(rs.Resource())
		}
	}
	return r.consumeOther(ctx, resources, func() error { return r.nextTraces.ConsumeTraces(ctx, td) })
}

func (r *workerReceiver) consumeLogs(ctx context.Context, ld plog.Logs) error {
	resources := func(yield func(pcommon.Resource)) {
		for _, rl := range ld.ResourceLogs().All() {
			yield(rl.Resource())
		}
	}
	return r.consumeOther(ctx, resources, func() error { return r.nextLogs.ConsumeLogs(ctx, ld) })
}

// consumeOther passes traces or logs on, and then their push's signal as a
// metrics request of its own.
func (r *workerReceiver) consumeOther(ctx context.Context, resources func(func(pcommon.Resource)), passOn func() error) error {
	p := pushFrom(ctx)
	p.consumed = true
	blocks := make([]block, 0, 4)
	resources(func(resource pcommon.Resource) {
		blocks = append(blocks, r.observe(p, resource, 0, false))
	})
	r.learnName(p, blocks)
	if !p.saysState {
		if err := passOn(); err != nil {
			return err
		}
		r.heartbeat(ctx, p, blocks)
		return nil
	}

	md, signals, err := r.signalOf(p, blocks)
	if err != nil {
		p.fenced = isFenced(err)
		r.countFenced(ctx, err)
		return err
	}
	if err := passOn(); err != nil {
		return err
	}
	err = r.send(ctx, md, signals...)
	p.fenced = err != nil && isFenced(err)
	return err
}

// signalOf is the push's signal on copies of the resources of its data, which
// do not belong to us any more once they are passed on.
func (r *workerReceiver) signalOf(p *push, blocks []block) (pmetric.Metrics, []signal, error) {
	chosen, err := r.ofSender(p, blocks)
	if err != nil {
		return pmetric.Metrics{}, nil, err
	}
	md := pmetric.NewMetrics()
	if len(chosen) == 0 {
		signals, err := r.addApart(p, md)
		return md, signals, err
	}
	signals := make([]signal, 0, len(chosen))
	for _, i := range chosen {
		s := p.signal()
		s.life = blocks[i].life
		rm := md.ResourceMetrics().AppendEmpty()
		blocks[i].resource.CopyTo(rm.Resource())
		s.AppendTo(rm)
		signals = append(signals, s)
	}
	return md, signals, nil
}

// heartbeat tells the metrics pipeline of the sender of traces or logs that it
// lives. It costs the push nothing: neither often nor, if it fails, its success.
func (r *workerReceiver) heartbeat(ctx context.Context, p *push, blocks []block) {
	if p.workerID == "" || r.nextMetrics == nil {
		return
	}
	now := time.Now().UnixNano()
	for _, b := range blocks {
		if !r.registry.AnswersTo(b.life, p.workerID) || !b.life.DueForHeartbeat(now, int64(heartbeatEvery)) {
			continue
		}
		s := signal{Signal: lifecycle.Signal{State: lifecycle.Running, Time: timestamp()}, source: sourceHeader, life: b.life}
		if err := r.send(ctx, s.asMetrics(r.registry.Resource(b.life)), s); err != nil {
			r.logger.Debug("Heartbeat by traces or logs refused", zap.String("worker", p.workerID), zap.Error(err))
		}
	}
}
