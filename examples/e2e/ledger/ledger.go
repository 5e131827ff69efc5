// Package ledger stands between workers and the collector and keeps the books:
// it passes every push on unchanged, and writes down what the collector has
// acknowledged. The totals to expect are then known exactly, without a word from
// the workers, whose last push may have been acknowledged after their death.
package ledger

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"

	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"google.golang.org/grpc"
)

// Ledger is a middleman for OTLP over HTTP and gRPC, on loopback addresses of
// its own. Its methods may be called concurrently.
type Ledger struct {
	// HTTP and GRPC are the addresses (host:port) for workers to push to.
	HTTP, GRPC string

	books    books
	upstream upstream
	away     atomic.Bool

	httpServer *http.Server
	grpcServer *grpc.Server
	serving    sync.WaitGroup
}

// Upstream says where the collector listens (host:port).
type Upstream struct{ HTTP, GRPC string }

type upstream struct {
	url     string
	client  http.Client
	proxy   *httputil.ReverseProxy
	grpc    pmetricotlp.GRPCClient
	connect *grpc.ClientConn
}

// Open starts a ledger. The caller must Close it.
func Open(to Upstream) (*Ledger, error) {
	l := &Ledger{books: books{lives: map[string]*Life{}}}
	if err := l.connect(to); err != nil {
		return nil, err
	}
	forHTTP, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	forGRPC, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		_ = forHTTP.Close()
		return nil, err
	}
	l.HTTP, l.GRPC = forHTTP.Addr().String(), forGRPC.Addr().String()

	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/metrics", l.export)
	mux.Handle("/", l.upstream.proxy)
	l.httpServer = &http.Server{Handler: mux}
	l.grpcServer = grpc.NewServer()
	pmetricotlp.RegisterGRPCServer(l.grpcServer, &grpcExport{ledger: l})
	l.serving.Go(func() { _ = l.httpServer.Serve(forHTTP) })
	l.serving.Go(func() { _ = l.grpcServer.Serve(forGRPC) })
	return l, nil
}

func (l *Ledger) connect(to Upstream) error {
	target, err := url.Parse("http://" + to.HTTP)
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	l.upstream.url = target.String()
	l.upstream.proxy = &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }}
	l.upstream.connect, err = grpc.NewClient(to.GRPC, plaintext)
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	l.upstream.grpc = pmetricotlp.NewGRPCClient(l.upstream.connect)
	return nil
}

// Away makes the collector seem to be away, until it is called again: pushes are
// answered with an error that SDKs retry, and go no further.
func (l *Ledger) Away(away bool) { l.away.Store(away) }

// Close ends all connections and waits for what is under way.
func (l *Ledger) Close() {
	_ = l.httpServer.Close()
	l.grpcServer.Stop()
	_ = l.upstream.connect.Close()
	l.upstream.client.CloseIdleConnections()
	l.serving.Wait()
}
