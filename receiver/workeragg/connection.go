package workeragg

import (
	"context"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/collector/config/configgrpc"
	"google.golang.org/grpc/stats"

	"github.com/otelcol-workers/otelcol-workers/receiver/workeragg/internal/registry"
)

// connection is one gRPC connection, from its begin to its end.
type connection struct {
	registry.Conn
	opened time.Time
	// used is when its last request ended, in nanoseconds since the epoch.
	used atomic.Int64
}

type connectionKey struct{}

func connectionFrom(ctx context.Context) *connection {
	c, _ := ctx.Value(connectionKey{}).(*connection)
	return c
}

// connectionWatch tells of the end of connections. The context of a connection
// is the parent of those of its requests.
type connectionWatch struct {
	closed func(*connection)
}

var _ stats.Handler = (*connectionWatch)(nil)

func (h *connectionWatch) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context {
	c := &connection{opened: time.Now()}
	c.used.Store(c.opened.UnixNano())
	return context.WithValue(ctx, connectionKey{}, c)
}

func (h *connectionWatch) HandleConn(ctx context.Context, s stats.ConnStats) {
	if _, ended := s.(*stats.ConnEnd); ended {
		h.closed(connectionFrom(ctx))
	}
}

func (h *connectionWatch) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context {
	return ctx
}
func (h *connectionWatch) HandleRPC(context.Context, stats.RPCStats) {}

// closedByServer reports whether the server itself may have closed a connection,
// for age or idleness. gRPC does not say who closed one, but when it closes
// connections is known: at their age, give or take a tenth, or when they have
// been idle for as long (https://pkg.go.dev/google.golang.org/grpc/keepalive#ServerParameters).
func closedByServer(cfg *configgrpc.ServerConfig, c *connection, now time.Time) bool {
	keepalive := cfg.Keepalive.Get()
	if keepalive == nil {
		return false
	}
	limits := keepalive.ServerParameters.Get()
	if limits == nil {
		return false
	}
	if age := limits.MaxConnectionAge; age > 0 && now.Sub(c.opened) >= age-age/10 {
		return true
	}
	idle := limits.MaxConnectionIdle
	return idle > 0 && now.Sub(time.Unix(0, c.used.Load())) >= idle
}
