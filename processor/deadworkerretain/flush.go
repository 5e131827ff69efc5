package deadworkerretain

import (
	"context"
	"errors"
	"time"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/core"
)

// sending is an output on its way downstream. There is never more than one, so
// that outputs arrive in order, and none is waited for: while a consumer blocks
// workers still come, count and die, and the state is still written.
type sending struct {
	done chan struct{}
	err  error
}

// lastFlushIn is how long the last output may take at shutdown. What it holds is
// on disk by then, if there is a storage.
const lastFlushIn = 10 * time.Second

var errUnderWay = errors.New("an output is still under way downstream")

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
			p.checkpoint(ctx)
		case <-tick.C:
			p.flush(ctx)
		}
	}
}

// flush begins to send all series as they are now, once the state behind them is
// on disk. While the output before is still under way only the state is written:
// output is cumulative, and the next one sends it all.
func (p *retain) flush(ctx context.Context) {
	if !p.sent() {
		p.log.underWay()
		p.checkpoint(ctx)
		return
	}
	p.sending = nil
	began := time.Now()
	cut := p.cut((*core.Table).BeginFlush)
	p.write(ctx, cut)
	md := cut.Metrics()
	if md.ResourceMetrics().Len() == 0 {
		return
	}
	s := &sending{done: make(chan struct{})}
	p.sending = s
	go func() {
		defer close(s.done)
		if s.err = p.next.ConsumeMetrics(ctx, md); s.err != nil {
			p.refused(ctx, cut, s.err)
		}
		p.telemetry.DeadworkerretainFlushDuration.Record(ctx, time.Since(began).Seconds())
	}()
}

// refused deals with an output that was refused downstream. Nothing is lost: the
// next one sends the same totals again.
func (p *retain) refused(ctx context.Context, cut *core.Flush, err error) {
	p.mu.Lock()
	p.table.Refused(cut)
	p.mu.Unlock()
	if ctx.Err() == nil {
		p.log.flushFailed(err)
	}
}

// sent reports whether no output is under way.
func (p *retain) sent() bool {
	if p.sending == nil {
		return true
	}
	select {
	case <-p.sending.done:
		return true
	default:
		return false
	}
}

// last flushes once more, when nothing more can come. It does not wait for long:
// with storage, what a consumer does not take is on disk.
func (p *retain) last(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, lastFlushIn)
	defer cancel()
	if p.sending != nil {
		select {
		case <-p.sending.done:
		case <-ctx.Done():
		}
	}
	p.flush(ctx)
	if p.sending == nil {
		return nil
	}
	select {
	case <-p.sending.done:
		return p.sending.err
	case <-ctx.Done():
		return errors.Join(errUnderWay, ctx.Err())
	}
}

// cut folds what is stale and takes all series. The lock is given up between
// steps, so that no push waits for more than one.
func (p *retain) cut(begin func(*core.Table, core.Instant, uint64) *core.Flush) *core.Flush {
	p.disk.reopen(p)
	p.sweep()
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

// checkpoint folds what is stale and writes the state, if there is a place for it.
func (p *retain) checkpoint(ctx context.Context) {
	if p.disk == nil {
		p.sweep()
		return
	}
	p.write(ctx, p.cut((*core.Table).BeginCheckpoint))
}

func (p *retain) sweep() {
	now := p.now()
	for p.locked(func() bool { return p.table.Sweep(now) }) {
	}
}

func (p *retain) locked(f func() bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return f()
}
