package deadworkerretain

import (
	"context"
	"time"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/core"
)

// flushing flushes at every interval until ctx ends.
func (p *retain) flushing(ctx context.Context) {
	defer close(p.done)
	tick := time.NewTicker(p.cfg.FlushInterval)
	defer tick.Stop()
	checkpoints, stop := p.checkpointTicker()
	defer stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-checkpoints:
			p.write(ctx, p.cut((*core.Table).BeginCheckpoint))
		case <-tick.C:
			if err := p.flush(ctx); err != nil && ctx.Err() == nil {
				p.log.flushFailed(err)
			}
		}
	}
}

// flush sends all series as they are now, once the state behind them is on disk.
// If that is refused downstream nothing is lost: output is cumulative, and the
// next flush sends it again.
func (p *retain) flush(ctx context.Context) error {
	began := time.Now()
	cut := p.cut((*core.Table).BeginFlush)
	p.write(ctx, cut)
	md := cut.Metrics()
	if md.ResourceMetrics().Len() == 0 {
		return nil
	}
	err := p.next.ConsumeMetrics(ctx, md)
	if err != nil {
		p.mu.Lock()
		p.table.Refused(cut)
		p.mu.Unlock()
	}
	p.telemetry.DeadworkerretainFlushDuration.Record(ctx, time.Since(began).Seconds())
	return err
}

// cut folds what is stale and takes all series. The lock is given up between
// steps, so that no push waits for more than one.
func (p *retain) cut(begin func(*core.Table, core.Instant, uint64) *core.Flush) *core.Flush {
	p.disk.reopen(p)
	now := p.now()
	for p.locked(func() bool { return p.table.Sweep(now) }) {
	}
	p.mu.Lock()
	// Nothing that is in the cut may be later than its time.
	flush := begin(p.table, p.now(), p.disk.nextRecord())
	p.mu.Unlock()
	for p.locked(flush.Step) {
	}
	p.mu.Lock()
	events := p.table.Events()
	p.mu.Unlock()
	p.log.events(events)
	return flush
}

func (p *retain) locked(f func() bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return f()
}
