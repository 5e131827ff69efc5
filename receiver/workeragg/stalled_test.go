package workeragg

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// stalled is a client that has begun something and does not go on, like a
// process that is stopped.
type stalled struct {
	net.Conn
	answers *bufio.Reader
}

func (r *rig) connect(addr string) stalled {
	r.t.Helper()
	conn, err := net.Dial("tcp", addr)
	require.NoError(r.t, err)
	r.t.Cleanup(func() { _ = conn.Close() })
	return stalled{conn, bufio.NewReader(conn)}
}

// halfAMessage is a gRPC client that stops within a push. The server has
// opened its stream: it has answered a ping that came behind.
func (r *rig) halfAMessage() stalled {
	r.t.Helper()
	s := r.connect(r.grpcAddr)
	_, err := io.WriteString(s, http2.ClientPreface)
	require.NoError(r.t, err)
	framer := http2.NewFramer(s, s.answers)
	require.NoError(r.t, framer.WriteSettings())
	var headers bytes.Buffer
	encoder := hpack.NewEncoder(&headers)
	for _, field := range [][2]string{{":method", "POST"}, {":scheme", "http"}, {":authority", "collector"},
		{":path", "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export"}, {"content-type", "application/grpc"}, {"te", "trailers"}} {
		require.NoError(r.t, encoder.WriteField(hpack.HeaderField{Name: field[0], Value: field[1]}))
	}
	require.NoError(r.t, framer.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: headers.Bytes(), EndHeaders: true}))
	require.NoError(r.t, framer.WriteData(1, false, []byte{0, 0, 0, 0, 100, 'h', 'a', 'l', 'f'}))
	require.NoError(r.t, framer.WritePing(false, [8]byte{1}))
	for {
		frame, err := framer.ReadFrame()
		require.NoError(r.t, err)
		if ping, ok := frame.(*http2.PingFrame); ok && ping.IsAck() && ping.Data == [8]byte{1} {
			return s
		}
	}
}

// halfABody is an HTTP client that stops within a push. Its body is waited for:
// the server has asked for it.
func (r *rig) halfABody(body []byte, encoding string) stalled {
	r.t.Helper()
	s := r.connect(strings.TrimPrefix(r.httpURL, "http://"))
	_, err := fmt.Fprintf(s, "POST /v1/metrics HTTP/1.1\r\nHost: collector\r\nContent-Type: %s\r\nContent-Length: %d\r\n%sExpect: 100-continue\r\n\r\n",
		asBinary, len(body), encoding)
	require.NoError(r.t, err)
	line, err := s.answers.ReadString('\n')
	require.NoError(r.t, err)
	require.Equal(r.t, "HTTP/1.1 100 Continue\r\n", line)
	_, err = s.answers.ReadString('\n')
	require.NoError(r.t, err)
	return s
}

// ended reads what the server still has to say, until it closes the connection.
func (s stalled) ended(t *testing.T) {
	t.Helper()
	require.NoError(t, s.SetReadDeadline(time.Now().Add(time.Minute)))
	_, err := io.Copy(io.Discard, s.answers)
	assert.NotErrorIs(t, err, os.ErrDeadlineExceeded, "the connection is open")
}

func impatient(r *rig) *rig {
	r.receiver.patience = time.Millisecond
	return r
}

func TestShutdownDoesNotWaitForStalledClients(t *testing.T) {
	push, err := pmetricotlp.NewExportRequestFromMetrics(counter(labels{"worker.id": "w"}, at(1), at(2), 1)).MarshalProto()
	require.NoError(t, err)
	for name, begin := range map[string]func(*rig) stalled{
		"a gRPC client within a push":           (*rig).halfAMessage,
		"a gRPC client that has not said hello": func(r *rig) stalled { return r.connect(r.grpcAddr) },
		"an HTTP client within a push":          func(r *rig) stalled { return r.halfABody(push, "") },
	} {
		t.Run(name, func(t *testing.T) {
			r := impatient(newRig(t))
			client := begin(r)
			require.NoError(t, r.stop())
			client.ended(t)
			assert.Empty(t, r.metrics.AllMetrics())
		})
	}
}

// A client that has not come as far as our handler keeps its connection, and is
// sent away when it goes on.
func TestWhatComesAfterShutdownIsRefused(t *testing.T) {
	push, err := pmetricotlp.NewExportRequestFromMetrics(counter(labels{"worker.id": "w"}, at(1), at(2), 1)).MarshalProto()
	require.NoError(t, err)
	zipped := gzipped(t, push)
	r := impatient(newRig(t))
	client := r.halfABody(zipped, "Content-Encoding: gzip\r\n")
	require.NoError(t, r.stop())

	_, err = client.Write(zipped)
	require.NoError(t, err)
	resp, err := http.ReadResponse(client.answers, nil)
	require.NoError(t, err)
	assert.Equal(t, 503, resp.StatusCode)
	assert.Equal(t, "1", resp.Header.Get("Retry-After"))
	assert.Equal(t, asBinary, resp.Header.Get("Content-Type"))
	assert.NoError(t, resp.Body.Close())
	client.ended(t)
	assert.Empty(t, r.metrics.AllMetrics())
}
