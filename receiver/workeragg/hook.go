package workeragg

import (
	"context"
	"net/http"

	"go.opentelemetry.io/collector/extension/extensionmiddleware"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

func (r *workerReceiver) newHook() *hook {
	return &hook{
		GetHTTPHandlerFunc: func(context.Context) (extensionmiddleware.WrapHTTPHandlerFunc, error) {
			return func(_ context.Context, stock http.Handler) (http.Handler, error) {
				return r.httpHandler(stock), nil
			}, nil
		},
		grpcOptions: func() []grpc.ServerOption {
			return []grpc.ServerOption{grpc.ChainUnaryInterceptor(r.intercept)}
		},
	}
}

func (r *workerReceiver) httpHandler(stock http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		p := &push{incarnation: req.Header.Get(lifecycle.HeaderIncarnation)}
		if r.cfg.Identity.Header != "" {
			p.workerID = req.Header.Get(r.cfg.Identity.Header)
		}
		if r.cfg.Identity.PeerAddress {
			p.peer = req.RemoteAddr
		}
		stock.ServeHTTP(w, req.WithContext(withPush(req.Context(), p)))
	})
}

func (r *workerReceiver) intercept(ctx context.Context, req any, _ *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	p := &push{incarnation: firstOf(ctx, lifecycle.HeaderIncarnation)}
	if r.cfg.Identity.Header != "" {
		p.workerID = firstOf(ctx, r.cfg.Identity.Header)
	}
	if r.cfg.Identity.PeerAddress {
		if from, ok := peer.FromContext(ctx); ok {
			p.peer = from.Addr.String()
		}
	}
	return handler(withPush(ctx, p), req)
}

func firstOf(ctx context.Context, key string) string {
	if values := metadata.ValueFromIncomingContext(ctx, key); len(values) > 0 {
		return values[0]
	}
	return ""
}
