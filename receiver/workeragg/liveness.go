package workeragg

import (
	"context"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
	"github.com/otelcol-workers/otelcol-workers/receiver/workeragg/internal/registry"
)

// liveness waits whether workers without connection come back.
type liveness struct {
	grace time.Duration
	died  func(context.Context, *registry.Worker) (retry bool)
	lost  func(w *registry.Worker, since int64) bool

	// wake has room for one: there is news.
	wake chan struct{}
	mu   sync.Mutex
	// waiting is in the order of due: all wait for as long.
	waiting []missing
}

type missing struct {
	worker *registry.Worker
	since  int64
	due    time.Time
}

// retryDeathAfter is when a death is signalled again that the pipeline refused,
// unless the grace period is longer.
const retryDeathAfter = time.Second

// watch begins to wait for workers whose last connection has just closed.
func (l *liveness) watch(workers []*registry.Worker, since int64) {
	if len(workers) == 0 {
		return
	}
	due := time.Now().Add(l.grace)
	l.mu.Lock()
	for _, w := range workers {
		l.waiting = append(l.waiting, missing{w, since, due})
	}
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// run signals the deaths of those who did not come back, until ctx is done.
func (l *liveness) run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.wake:
		case <-timer.C:
		}
		for _, m := range l.overdue(time.Now()) {
			if ctx.Err() != nil {
				return
			}
			if l.lost(m.worker, m.since) && l.died(ctx, m.worker) {
				l.again(m)
			}
		}
		if wait, any := l.next(time.Now()); any {
			timer.Reset(wait)
		}
	}
}

func (l *liveness) overdue(now time.Time) []missing {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for n < len(l.waiting) && !l.waiting[n].due.After(now) {
		n++
	}
	due := l.waiting[:n:n]
	l.waiting = l.waiting[n:]
	return due
}

func (l *liveness) again(m missing) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m.due = time.Now().Add(max(l.grace, retryDeathAfter))
	l.waiting = append(l.waiting, m)
}

// next is how long until somebody is due.
func (l *liveness) next(now time.Time) (time.Duration, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting) == 0 {
		return 0, false
	}
	return max(0, l.waiting[0].due.Sub(now)), true
}

// watchesConnections reports whether lost connections are deaths.
func (r *workerReceiver) watchesConnections() bool {
	return r.cfg.ConnectionLiveness.Enabled && r.nextMetrics != nil
}

// disconnected takes note of the end of a gRPC connection.
func (r *workerReceiver) disconnected(c *connection) {
	now := time.Now()
	r.registry.Disconnect(&c.Conn, now.UnixNano(), closedByServer(r.cfg.Protocols.GRPC.Get(), c, now))
}

// lost begins the search for workers that have no connection any more.
func (r *workerReceiver) lost(workers []*registry.Worker, since int64) {
	if r.watchesConnections() && !r.stopping.Load() {
		r.liveness.watch(workers, since)
	}
}

// connectionLost signals the death of a worker that did not come back. It
// reports whether that has to be tried again.
func (r *workerReceiver) connectionLost(ctx context.Context, w *registry.Worker) bool {
	s := signal{
		Signal: lifecycle.Signal{State: lifecycle.Terminated, Reason: lifecycle.ReasonConnectionLost, Time: timestamp()},
		source: sourceConnection,
		life:   w,
	}
	err := r.send(ctx, s.asMetrics(r.registry.Resource(w)), s)
	if err == nil || isFenced(err) {
		return false
	}
	retry := retryable(statusOf(err))
	r.logger.Warn("The pipeline refused the death of a worker whose connection is lost",
		zap.String("worker", w.ID()), zap.Bool("retry", retry), zap.Error(err))
	return retry
}
