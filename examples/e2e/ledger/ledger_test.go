package ledger

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// collector is an upstream that answers what it is told.
type collector struct {
	pmetricotlp.UnimplementedGRPCServer
	refuse  atomic.Bool
	entered chan struct{} // if set: told of each request, which then waits for hold
	hold    chan struct{}
	other   atomic.Value // path of the last request that was no push
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/v1/metrics" {
		c.other.Store(r.Method + " " + r.URL.EscapedPath())
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if c.entered != nil {
		c.entered <- struct{}{}
		<-c.hold
	}
	if c.refuse.Load() {
		http.Error(w, "no", http.StatusServiceUnavailable)
	}
}

func (c *collector) Export(context.Context, pmetricotlp.ExportRequest) (pmetricotlp.ExportResponse, error) {
	if c.refuse.Load() {
		return pmetricotlp.NewExportResponse(), status.Error(codes.FailedPrecondition, "no")
	}
	return pmetricotlp.NewExportResponse(), nil
}

func open(t *testing.T, c *collector) *Ledger {
	t.Helper()
	overHTTP := httptest.NewServer(c)
	t.Cleanup(overHTTP.Close)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := grpc.NewServer()
	pmetricotlp.RegisterGRPCServer(server, c)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	l, err := Open(Upstream{HTTP: strings.TrimPrefix(overHTTP.URL, "http://"), GRPC: listener.Addr().String()})
	require.NoError(t, err)
	t.Cleanup(l.Close)
	return l
}

func push(worker string, jobs int64, goodbye bool) pmetricotlp.ExportRequest {
	metrics := pmetric.NewMetrics()
	rm := metrics.ResourceMetrics().AppendEmpty()
	rm.Resource().Attributes().PutStr("worker.id", worker)
	list := rm.ScopeMetrics().AppendEmpty().Metrics()
	m := list.AppendEmpty()
	m.SetName("jobs")
	sum := m.SetEmptySum().DataPoints()
	for _, queue := range []string{"mail", "web"} {
		p := sum.AppendEmpty()
		p.Attributes().PutStr("queue", queue)
		p.SetIntValue(jobs)
	}
	if goodbye {
		m := list.AppendEmpty()
		m.SetName("worker.state")
		m.SetEmptyGauge().DataPoints().AppendEmpty().SetIntValue(2)
	}
	return pmetricotlp.NewExportRequestFromMetrics(metrics)
}

func post(ctx context.Context, l *Ledger, p pmetricotlp.ExportRequest, headers ...string) (int, error) {
	body, err := p.MarshalJSON()
	if err != nil {
		return 0, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+l.HTTP+"/v1/metrics", bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	return response.StatusCode, nil
}

func TestOnlyAcknowledgedPushesCount(t *testing.T) {
	c := &collector{}
	l := open(t, c)
	for _, p := range []pmetricotlp.ExportRequest{push("a", 3, false), push("a", 2, false), push("b", 5, true)} {
		code, err := post(t.Context(), l, p)
		require.NoError(t, err)
		assert.Equal(t, http.StatusOK, code)
	}
	assert.Equal(t, int64(2*3+2*5), l.Total("jobs"))
	assert.Zero(t, l.Total("job"))

	c.refuse.Store(true)
	code, err := post(t.Context(), l, push("a", 100, false))
	require.NoError(t, err)
	assert.Equal(t, http.StatusServiceUnavailable, code)
	assert.Equal(t, int64(16), l.Total("jobs"))
	assert.Equal(t, 1, l.Refused())

	c.refuse.Store(false)
	l.Away(true)
	code, err = post(t.Context(), l, push("a", 100, false))
	require.NoError(t, err)
	assert.Equal(t, http.StatusServiceUnavailable, code)
	assert.Equal(t, int64(16), l.Total("jobs"))
	assert.Equal(t, 2, l.Refused())

	got := map[string][2]int{}
	for _, life := range l.Lives() {
		got[life.ID] = [2]int{life.Pushes, life.Goodbyes}
	}
	assert.Equal(t, map[string][2]int{"a": {2, 0}, "b": {1, 1}}, got, "pushes and goodbyes")
}

func TestPushOfAWorkerThatDiesBeforeTheAnswerCounts(t *testing.T) {
	c := &collector{entered: make(chan struct{}), hold: make(chan struct{})}
	l := open(t, c)
	ctx, die := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := post(ctx, l, push("a", 7, false))
		done <- err
	}()
	<-c.entered
	die()
	require.ErrorIs(t, <-done, context.Canceled)
	assert.Zero(t, l.Total("jobs"))
	close(c.hold)
	assert.Eventually(t, func() bool { return l.Total("jobs") == 14 }, time.Minute, time.Millisecond)
}

func TestGoodbyeByHeader(t *testing.T) {
	l := open(t, &collector{})
	_, err := post(t.Context(), l, push("a", 1, false), "x-worker-state", "terminated")
	require.NoError(t, err)
	require.Len(t, l.Lives(), 1)
	assert.Equal(t, 1, l.Lives()[0].Goodbyes)
}

func TestOverGRPC(t *testing.T) {
	c := &collector{}
	l := open(t, c)
	conn, err := grpc.NewClient(l.GRPC, plaintext)
	require.NoError(t, err)
	defer conn.Close()
	client := pmetricotlp.NewGRPCClient(conn)
	ctx := metadata.AppendToOutgoingContext(t.Context(), "x-worker-state", "terminated")
	_, err = client.Export(ctx, push("a", 4, false))
	require.NoError(t, err)
	assert.Equal(t, int64(8), l.Total("jobs"))
	assert.Equal(t, 1, l.Lives()[0].Goodbyes)

	c.refuse.Store(true)
	_, err = client.Export(t.Context(), push("a", 5, false))
	assert.Equal(t, codes.FailedPrecondition, status.Code(err))
	l.Away(true)
	_, err = client.Export(t.Context(), push("a", 5, false))
	assert.Equal(t, codes.Unavailable, status.Code(err))
	assert.Equal(t, int64(8), l.Total("jobs"))
}

func TestOtherRequestsPassThrough(t *testing.T) {
	c := &collector{}
	l := open(t, c)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, "http://"+l.HTTP+"/v1/workers/host%2Fweb-1", nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	assert.Equal(t, http.StatusAccepted, response.StatusCode)
	assert.Equal(t, "PUT /v1/workers/host%2Fweb-1", c.other.Load())
}
