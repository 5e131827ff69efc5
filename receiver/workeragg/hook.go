package workeragg

import (
	"context"
	"net/http"
	"strings"
	"time"

	"go.opentelemetry.io/collector/extension/extensionmiddleware"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
)

func (r *workerReceiver) newHook() *hook {
	return &hook{
		GetHTTPHandlerFunc: func(context.Context) (extensionmiddleware.WrapHTTPHandlerFunc, error) {
			return func(_ context.Context, stock http.Handler) (http.Handler, error) {
				return r.httpHandler(stock), nil
			}, nil
		},
		grpcOptions: func() []grpc.ServerOption {
			return []grpc.ServerOption{
				grpc.ChainUnaryInterceptor(r.grpcInterceptor()),
				grpc.StatsHandler(&connectionWatch{closed: r.disconnected}),
			}
		},
	}
}

// httpHandler serves /v1/workers, and reads the headers of what it leaves to
// the stock handler. The stock answer is held back until the signals of a push
// without data, for which the stock handler does nothing, are applied.
func (r *workerReceiver) httpHandler(stock http.Handler) http.Handler {
	keys := httpKeys(r.cfg.Identity.Header)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if path := req.URL.EscapedPath(); path == workersPath || strings.HasPrefix(path, workersPath+"/") {
			r.serveWorkers(w, req, strings.TrimPrefix(path, workersPath))
			return
		}
		if req.Method != http.MethodPost {
			stock.ServeHTTP(w, req)
			return
		}
		held := &heldAnswer{ResponseWriter: w, contentType: req.Header.Get("Content-Type")}
		defer held.release()
		p, err := pushFromHTTP(keys, req.Header)
		if err == nil {
			err = r.canSignal(p)
		}
		if err != nil {
			held.replace(err)
			return
		}
		if r.cfg.Identity.PeerAddress {
			p.peer = peerName(req.RemoteAddr)
		}
		stock.ServeHTTP(held, req.WithContext(withPush(req.Context(), p)))
		if held.code == http.StatusOK && !p.consumed {
			if err := r.consumeNothing(req.Context(), p); err != nil {
				held.replace(err)
			}
		} else if p.fenced && held.code == http.StatusInternalServerError {
			// The stock receiver has no HTTP status for FAILED_PRECONDITION.
			held.code = http.StatusConflict
		}
	})
}

func (r *workerReceiver) grpcInterceptor() grpc.UnaryServerInterceptor {
	keys := grpcKeys(r.cfg.Identity.Header)
	return func(ctx context.Context, req any, _ *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		p, err := pushFromGRPC(ctx, keys)
		if err == nil {
			err = r.canSignal(p)
		}
		if err != nil {
			return nil, err
		}
		if conn := connectionFrom(ctx); conn != nil {
			p.conn = &conn.Conn
			defer func() { conn.used.Store(time.Now().UnixNano()) }()
		}
		if r.cfg.Identity.PeerAddress {
			if from, ok := peer.FromContext(ctx); ok {
				p.peer = peerName(from.Addr.String())
			}
		}
		answer, err := handler(withPush(ctx, p), req)
		if err == nil && !p.consumed {
			if err := r.consumeNothing(ctx, p); err != nil {
				return nil, statusOf(err).Err()
			}
		}
		return answer, err
	}
}

// canSignal refuses a push whose signal has nowhere to go before its data is
// taken in.
func (r *workerReceiver) canSignal(p *push) error {
	if p.saysState && r.nextMetrics == nil {
		return errNoMetrics
	}
	return nil
}

var errNoMetrics = status.Error(codes.Unimplemented, "there is no metrics pipeline behind this receiver: signals have nowhere to go")
