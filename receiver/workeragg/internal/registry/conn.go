package registry

import "sync/atomic"

// Conn is a gRPC connection. It may carry several workers, and a worker may use
// several.
type Conn struct {
	// last spares the lock while the connection carries one worker only.
	last   atomic.Pointer[Worker]
	closed atomic.Bool

	// Guarded by Registry.mu.
	workers  map[*Worker]struct{}
	byServer bool
}

// connected notes that a worker uses a connection, or that it is there at all
// (nil: over HTTP, say), which calls off the search for it.
//
// A push may be handled after its connection has closed. That is no return: it
// may even be the worker's first and last, who is lost then.
func (r *Registry) connected(w *Worker, c *Conn, now int64) {
	if c != nil && c.last.Load() != w {
		r.link(w, c, now)
	}
	// Disconnect sets closed before lost. Who sees lost set by this connection
	// therefore sees it closed too.
	if lost := w.lost.Load(); lost != 0 && (c == nil || !c.closed.Load()) {
		w.lost.CompareAndSwap(lost, 0)
	}
}

func (r *Registry) link(w *Worker, c *Conn, now int64) {
	r.mu.Lock()
	lost := false
	switch {
	case c.closed.Load():
		lost = w.lost.Load() == 0 && w.loses(c, now)
	case !w.gone:
		if _, linked := c.workers[w]; !linked {
			if c.workers == nil {
				c.workers = map[*Worker]struct{}{}
			}
			c.workers[w] = struct{}{}
			w.conns++
		}
		c.last.Store(w)
	}
	r.mu.Unlock()
	if lost {
		r.events.Lost([]*Worker{w}, now)
	}
}

// Disconnect notes that a connection has closed. Unless the server closed it,
// that is told of the living workers that have no other one.
func (r *Registry) Disconnect(c *Conn, now int64, byServer bool) {
	r.mu.Lock()
	c.byServer = byServer
	c.closed.Store(true)
	var lost []*Worker
	for w := range c.workers {
		w.conns--
		if w.loses(c, now) {
			lost = append(lost, w)
		}
	}
	c.workers = nil
	r.mu.Unlock()
	if len(lost) > 0 {
		r.events.Lost(lost, now)
	}
}

// loses reports whether the worker is without connection now that c has closed.
func (w *Worker) loses(c *Conn, now int64) bool {
	if c.byServer || w.conns > 0 || w.gone || w.dead.Load() {
		return false
	}
	w.lost.Store(now)
	return true
}

// Lost reports whether a worker that was found without connection at the given
// time has shown no sign of life since.
func (r *Registry) Lost(w *Worker, since int64) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return w.lost.Load() == since && w.conns == 0 && !w.gone && !w.dead.Load()
}
