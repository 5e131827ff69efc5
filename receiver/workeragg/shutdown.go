package workeragg

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// shutdownPatience is how long each of the two servers waits for clients to
// finish what they have begun. A client that never does, because it is stopped
// or its network is gone, would otherwise hold up the last flush of the
// pipeline until whoever stops the collector kills it.
const shutdownPatience = 5 * time.Second

// stopServers answers the requests under way and closes the ports. When it
// returns, nothing of ours is in the pipeline any more and nothing will be.
func (r *workerReceiver) stopServers(ctx context.Context) error {
	r.stopHTTP(ctx)
	cut := time.AfterFunc(r.patience, r.connections.cut)
	defer cut.Stop()
	bounded, cancel := context.WithTimeout(ctx, r.patience)
	defer cancel()
	var errs []error
	for _, inner := range r.inner {
		// It waits for HTTP until its context ends, and for gRPC forever.
		err := inner.Shutdown(bounded)
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			err = nil // Our patience is at its end, not the caller's.
		}
		errs = append(errs, err)
	}
	r.inside.close()
	return errors.Join(errs...)
}

// stopHTTP closes the HTTP server, if a request has shown it to us.
func (r *workerReceiver) stopHTTP(ctx context.Context) {
	server := r.httpServer.Load()
	if server == nil {
		return
	}
	bounded, cancel := context.WithTimeout(ctx, r.patience)
	defer cancel()
	if server.Shutdown(bounded) != nil {
		_ = server.Close() // of connections of which nobody waits for anything
	}
}

// meetServer takes note of the HTTP server, which the stock receiver keeps to
// itself, by the context of one of its requests.
func (r *workerReceiver) meetServer(ctx context.Context) {
	if r.httpServer.Load() == nil {
		if server, ok := ctx.Value(http.ServerContextKey).(*http.Server); ok {
			r.httpServer.Store(server)
		}
	}
}

// gate lets requests in until it is closed. gRPC has one of its own; an HTTP
// server that closes connections leaves their requests running.
type gate struct {
	mu     sync.RWMutex
	closed bool
}

// enter reports whether a request may go on; then it must leave.
func (g *gate) enter() bool {
	g.mu.RLock()
	if g.closed {
		g.mu.RUnlock()
		return false
	}
	return true
}

func (g *gate) leave() { g.mu.RUnlock() }

// close waits for those inside.
func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
}

var errShutDown = status.Error(codes.Unavailable, "the collector is shutting down")
