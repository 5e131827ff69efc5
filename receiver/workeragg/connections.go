package workeragg

import (
	"context"
	"errors"
	"net"
	"sync"

	"go.opentelemetry.io/collector/config/configgrpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

// connections are the open gRPC connections. The stock receiver stops its
// server gracefully, which waits for every request and every handshake that a
// client has begun; to end that wait the connections have to be closed.
type connections struct {
	mu   sync.Mutex
	open map[*openConnection]struct{}
	// closed is set when no connection may be opened any more.
	closed bool
}

// openConnection is a connection until it is closed, by whomever.
type openConnection struct {
	net.Conn
	all *connections
}

func (c *openConnection) Close() error {
	c.all.forget(c)
	return c.Conn.Close()
}

var errConnectionsClosed = errors.New("the collector is shutting down")

func (c *connections) add(conn net.Conn) (*openConnection, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, errConnectionsClosed
	}
	if c.open == nil {
		c.open = map[*openConnection]struct{}{}
	}
	added := &openConnection{Conn: conn, all: c}
	c.open[added] = struct{}{}
	return added, nil
}

func (c *connections) forget(conn *openConnection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, conn)
}

// cut closes all connections, and those to come.
func (c *connections) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for conn := range c.open {
		_ = conn.Conn.Close() // it is of no use any more, whatever is wrong with it
	}
}

// handshake is the one that the user has configured, TLS or none. It is the
// one place where gRPC shows a connection.
type handshake struct {
	credentials.TransportCredentials
	connections *connections
}

var _ credentials.TransportCredentials = handshake{}

func (h handshake) ServerHandshake(raw net.Conn) (net.Conn, credentials.AuthInfo, error) {
	conn, err := h.connections.add(raw)
	if err != nil {
		return nil, nil, err
	}
	ready, info, err := h.TransportCredentials.ServerHandshake(conn)
	if err != nil {
		h.connections.forget(conn) // gRPC closes the raw one
	}
	return ready, info, err
}

func (h handshake) Clone() credentials.TransportCredentials {
	return handshake{h.TransportCredentials.Clone(), h.connections}
}

// handshakeOf does what the stock receiver would do with the configuration.
func (c *connections) handshakeOf(ctx context.Context, cfg *configgrpc.ServerConfig) (handshake, error) {
	if !cfg.TLS.HasValue() {
		return handshake{insecure.NewCredentials(), c}, nil
	}
	tlsConfig, err := cfg.TLS.Get().LoadTLSConfig(ctx)
	if err != nil {
		return handshake{}, err
	}
	return handshake{credentials.NewTLS(tlsConfig), c}, nil
}
