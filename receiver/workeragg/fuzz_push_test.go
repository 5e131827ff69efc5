package workeragg

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"go.opentelemetry.io/collector/receiver/receivertest"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/otelcol-workers/otelcol-workers/receiver/workeragg/internal/metadata"
)

// FuzzPush posts to a real receiver: whatever comes, the answer is the sender's
// fault or none, and the next push is taken.
func FuzzPush(f *testing.F) {
	good, err := pmetricotlp.NewExportRequestFromMetrics(counter(labels{"worker.id": "w"}, at(1), at(2), 1)).MarshalProto()
	require.NoError(f, err)
	f.Add(good, uint8(0), uint8(0), "w", "terminated")
	f.Add([]byte(`{"resourceMetrics": [{"scopeMetrics": [{"metrics": [{"gauge": {"dataPoints": [{}]}}]}]}]}`), uint8(1), uint8(1), "", "")
	f.Add(bytes.Repeat([]byte("\x0a\xff\x7f"), 20_000), uint8(0), uint8(0), "", "quiet")
	f.Add(bytes.Repeat([]byte(`{"k":[`), 20_000), uint8(1), uint8(0), "w", "")

	core, logs := observer.New(zap.InfoLevel)
	set := receivertest.NewNopSettings(metadata.Type)
	set.Logger = zap.New(core)
	cfg := ephemeral()
	cfg.MaxWorkers = 100
	r, err := NewFactory().CreateMetrics(context.Background(), set, cfg, carriedSink{})
	require.NoError(f, err)
	require.NoError(f, r.Start(context.Background(), componenttest.NewNopHost()))
	transport := &http.Transport{}
	f.Cleanup(func() {
		transport.CloseIdleConnections()
		assert.NoError(f, r.Shutdown(context.Background()))
	})
	url := "http://" + logs.FilterMessage("Starting HTTP server").All()[0].ContextMap()["endpoint"].(string) + "/v1/metrics"
	post := func(t *testing.T, body []byte, headers labels) int {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(body))
		require.NoError(t, err)
		for key, value := range headers {
			req.Header.Set(key, value)
		}
		resp, err := transport.RoundTrip(req)
		if err != nil {
			t.Skip(err) // Not a header that can be sent.
		}
		_, err = io.Copy(io.Discard, resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		return resp.StatusCode
	}
	f.Fuzz(func(t *testing.T, body []byte, kind, packing uint8, id, state string) {
		contentType := []string{asBinary, asText}[kind%2]
		encoding := []string{"", "gzip", "zstd", "snappy", "deflate", "lz4", "none that is known"}[packing%7]
		code := post(t, body, labels{"Content-Type": contentType, "Content-Encoding": encoding, "x-worker-id": id, "x-worker-state": state})
		assert.Contains(t, []int{200, 400, 409, 413, 415}, code)
		assert.Equal(t, 200, post(t, good, labels{"Content-Type": asBinary}))
	})
}
