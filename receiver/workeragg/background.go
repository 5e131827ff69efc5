package workeragg

import (
	"context"
	"time"
)

// startBackground starts what runs beside the requests.
func (r *workerReceiver) startBackground() {
	r.logSettings()
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel = cancel
	r.background.Go(func() { r.sweep(ctx) })
	if r.cfg.ConnectionLiveness.Enabled && !r.watchesConnections() {
		r.logger.Warn("connection_liveness does nothing: there is no metrics pipeline to tell of deaths")
	}
	if r.watchesConnections() {
		r.background.Go(func() { r.liveness.run(ctx) })
	}
}

// stopBackground ends it, and with it every search for lost workers.
func (r *workerReceiver) stopBackground() {
	if r.cancel != nil {
		r.cancel()
	}
	r.background.Wait()
}

// sweep forgets silent workers until ctx is done.
func (r *workerReceiver) sweep(ctx context.Context) {
	ticker := time.NewTicker(min(max(r.cfg.ForgetAfter/4, time.Second), time.Minute))
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-ticker.C:
			r.registry.Sweep(now)
		}
	}
}
