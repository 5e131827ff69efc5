package e2e

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
)

const hostileConfig = `
receivers:
  workeragg:
    protocols:
      grpc: {endpoint: '{{addr "grpc"}}'}
      http: {endpoint: '{{addr "http"}}'}
processors:
  deadworkerretain:
    flush_interval: 200ms
    max_workers: 500
    max_series: 2000
    max_streams_per_worker: 1000
    storage: file_storage
exporters:
  prometheus:
    endpoint: '{{addr "prometheus"}}'
    resource_constant_labels: {included: ["*"]}
extensions:
  file_storage: {directory: '{{dir}}/state', create_directory: true}
service:
  extensions: [file_storage]
  pipelines:
    metrics: {receivers: [workeragg], processors: [deadworkerretain], exporters: [prometheus]}
  telemetry:
    metrics: {level: none}
`

// asItIs is a codec for messages that are encoded already.
type asItIs struct{}

func (asItIs) Name() string { return "proto" }
func (asItIs) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(v.([]byte))}, nil
}
func (asItIs) Unmarshal(answer mem.BufferSlice, v any) error {
	*v.(*[]byte) = answer.Materialize()
	return nil
}

// hostile sends pushes in every way there is.
type hostile struct {
	addr string
	conn *grpc.ClientConn
}

func newHostile(t *testing.T, c *collector.Collector) hostile {
	t.Helper()
	conn, err := grpc.NewClient(c.Addr("grpc"), grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(asItIs{})))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return hostile{c.Addr("http"), conn}
}

func (h hostile) send(t *testing.T, name string, p payload) {
	t.Helper()
	ctx := harness.Context(t)
	for contentType, body := range map[string][]byte{"application/x-protobuf": p.binary, "application/json": p.text} {
		code, err := h.overHTTP(ctx, contentType, body)
		require.NoError(t, err, "%s, %s", name, contentType)
		assert.Equal(t, p.want.http, code, "%s, %s", name, contentType)
	}
	err := h.conn.Invoke(ctx, "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export", p.binary, new([]byte))
	assert.Equal(t, p.want.grpc, status.Code(err), "%s: %.300v", name, err)
}

// overHTTP is the status that a push is answered with.
func (h hostile) overHTTP(ctx context.Context, contentType string, body []byte) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+h.addr+"/v1/metrics", bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", contentType)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, err
}

// Pushes that nobody should send are answered as they deserve, each over gRPC and
// over HTTP in both encodings, and more than once. The collector lives, and an
// honest worker that pushes all the while does not notice: its totals never fall
// and are exact in the end, also after a restart from what is on disk.
func TestHostilePushes(t *testing.T) {
	c := harness.Collector(t, collector.Options{Config: hostileConfig})
	shown := grepped(t, c.Addr("prometheus"))
	watch := harness.Watch(t, shown, 200*time.Millisecond)
	worker, enemy := startHonest(t, c), newHostile(t, c)
	payloads := hostilePayloads(t)
	for range 2 {
		for _, name := range slices.Sorted(maps.Keys(payloads)) {
			enemy.send(t, name, payloads[name])
		}
	}
	for _, p := range explosions(t) {
		enemy.send(t, p.name, p.payload)
	}
	worker.totals(t, shown)
	report := watch.Stop()
	assert.Empty(t, report.Falls)
	assert.Positive(t, report.Rises)
	assert.Zero(t, report.Failed, "%v", report.LastError)

	ctx := harness.Context(t)
	require.NoError(t, c.Stop(ctx))
	require.NoError(t, c.Restart(ctx))
	counted(t, shown, worker.Pushed().Jobs())
}
