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
		grpcOptions: func(context.Context) ([]grpc.ServerOption, error) {
			return []grpc.ServerOption{
				grpc.ChainUnaryInterceptor(r.grpcInterceptor()),
				grpc.StatsHandler(&connectionWatch{closed: r.disconnected}),
			}, nil
		},
	}
}

// newDoor looks at what comes in before gRPC does: at connections and messages.
func (r *workerReceiver) newDoor() *hook {
	return &hook{grpcOptions: func(ctx context.Context) ([]grpc.ServerOption, error) {
		handshake, err := r.connections.handshakeOf(ctx, r.cfg.Protocols.GRPC.Get())
		if err != nil {
			return nil, err
		}
		return []grpc.ServerOption{grpc.Creds(handshake), grpc.ForceServerCodecV2(newScanningCodec())}, nil
	}}
}

// httpHandler serves /v1/workers, and reads the headers of what it leaves to
// the stock handler. The stock answer is held back until the signals of a push
// without data, for which the stock handler does nothing, are applied.
func (r *workerReceiver) httpHandler(stock http.Handler) http.Handler {
	keys := httpKeys(r.cfg.Identity.Header)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.meetServer(req.Context())
		held := &heldAnswer{ResponseWriter: w, contentType: req.Header.Get(contentType)}
		path := req.URL.EscapedPath()
		ours := path == workersPath || strings.HasPrefix(path, workersPath+"/")
		if !r.inside.enter() {
			if ours {
				fail(w, errShutDown)
				return
			}
			held.replace(errShutDown)
			held.release()
			return
		}
		defer r.inside.leave()
		if ours {
			r.serveWorkers(w, req, strings.TrimPrefix(path, workersPath))
			return
		}
		if req.Method != http.MethodPost {
			stock.ServeHTTP(w, req)
			return
		}
		scanned(req)
		if p, err := r.readHTTP(keys, req); err != nil {
			held.replace(err)
		} else {
			r.servePush(held, req, p, stock)
		}
		held.release()
	})
}

func (r *workerReceiver) readHTTP(keys headerKeys, req *http.Request) (*push, error) {
	p, err := pushFromHTTP(keys, req.Header)
	if err != nil {
		return nil, err
	}
	if r.cfg.Identity.PeerAddress {
		p.peer = peerName(req.RemoteAddr)
	}
	return p, r.canSignal(p)
}

// servePush lets the stock handler answer, and then applies what it leaves out.
func (r *workerReceiver) servePush(held *heldAnswer, req *http.Request, p *push, stock http.Handler) {
	stock.ServeHTTP(held, req.WithContext(withPush(req.Context(), p)))
	if held.code == http.StatusOK && !p.consumed {
		if err := r.consumeNothing(req.Context(), p); err != nil {
			held.replace(err)
		}
	} else if held.code == http.StatusInternalServerError {
		switch {
		case p.fenced:
			// The stock receiver has no HTTP status for FAILED_PRECONDITION.
			held.code = http.StatusConflict
		case !p.consumed:
			// Nothing has gone wrong here: the stock receiver wanted to quote a
			// body that is no UTF-8, and cannot.
			held.replace(badInput("body is no OTLP, and not UTF-8"))
		}
	}
}

func (r *workerReceiver) grpcInterceptor() grpc.UnaryServerInterceptor {
	keys := grpcKeys(r.cfg.Identity.Header)
	return func(ctx context.Context, req any, _ *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		p, err := r.readGRPC(ctx, keys)
		if err != nil {
			return nil, err
		}
		if conn := connectionFrom(ctx); conn != nil {
			p.conn = &conn.Conn
			defer func() { conn.used.Store(time.Now().UnixNano()) }()
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

func (r *workerReceiver) readGRPC(ctx context.Context, keys headerKeys) (*push, error) {
	p, err := pushFromGRPC(ctx, keys)
	if err != nil {
		return nil, err
	}
	if from, ok := peer.FromContext(ctx); ok && r.cfg.Identity.PeerAddress {
		p.peer = peerName(from.Addr.String())
	}
	return p, r.canSignal(p)
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
