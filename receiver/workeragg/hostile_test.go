package workeragg

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/otelcol-workers/otelcol-workers/receiver/workeragg/internal/registry"
)

func TestHostileCallsGetAClearAnswerAndDisturbNothing(t *testing.T) {
	r := newRig(t)
	r.post(counter(labels{"worker.id": "w"}, at(1), at(2), 1), asBinary, nil)
	r.metrics.Reset()
	running := `{"state": "running"}`
	for _, test := range []struct {
		method, path, body string
		code               int
		want               string
	}{
		{"POST", "/v1/workers/w", running, 405, `method "POST" is not allowed here, expected PUT`},
		{"GET", "/v1/workers/w", "", 405, `method "GET" is not allowed here, expected PUT`},
		{"DELETE", "/v1/workers/w", "", 405, `method "DELETE" is not allowed here`},
		{"BREW", "/v1/workers/w", "", 405, `method "BREW" is not allowed here`},
		{"PUT", "/v1/workers", running, 405, `method "PUT" is not allowed here, expected GET, HEAD`},
		{"POST", "/v1/workers", "", 405, "is not allowed here"},
		{"PUT", "/v1/workers/", running, 404, `path "/v1/workers/" is unknown, expected /v1/workers or /v1/workers/{id}; a slash in an id is written %2F`},
		{"PUT", "/v1/workers/w/state", running, 404, "is unknown"},
		{"PUT", "/v1/workers//w", running, 404, "is unknown"},
		{"GET", "/v1/workers/w/", "", 404, "is unknown"},
		{"PUT", "/v1/workers/%FF", running, 400, `worker id is "\xff", expected UTF-8`},
		{"PUT", "/v1/workers/" + strings.Repeat("x", 1025), running, 400, "worker id is 1025 bytes long, expected at most 1024"},
		{"PUT", "/v1/workers/w", "", 400, "body is not as expected"},
		{"PUT", "/v1/workers/w", "terminated", 400, "body is not as expected"},
		{"PUT", "/v1/workers/w", "[]", 400, "body is not as expected"},
		{"PUT", "/v1/workers/w", "null", 400, "state is missing, expected one of running, quiet, terminated"},
		{"PUT", "/v1/workers/w", "{}", 400, "state is missing"},
		{"PUT", "/v1/workers/w", `{"state": "dead"}`, 400, `worker state "dead" is unknown, expected one of running, quiet, terminated`},
		{"PUT", "/v1/workers/w", `{"state": 2}`, 400, "body is not as expected"},
		{"PUT", "/v1/workers/w", running + running, 400, "body goes on after the JSON object"},
		{"PUT", "/v1/workers/w", `{"state": "running", "sate": 1}`, 400, `unknown field "sate"`},
		{"PUT", "/v1/workers/w", `{"state": "running", "pid": 0}`, 400, "pid is 0, expected a number above 0"},
		{"PUT", "/v1/workers/w", `{"state": "running", "pid": 1e30}`, 400, "body is not as expected"},
		{"PUT", "/v1/workers/w", `{"state": "running", "incarnation": {}}`, 400, "incarnation is {}, expected a string or a number"},
		{"PUT", "/v1/workers/w", `{"state": "running", "incarnation": "` + strings.Repeat("x", 1025) + `"}`, 400, "incarnation is 1025 bytes long"},
		{"PUT", "/v1/workers/w", `{"state": "running", "reason": "` + strings.Repeat("x", 257) + `"}`, 400, "reason is 257 bytes long, expected at most 256"},
		{"PUT", "/v1/workers/w", `{"state": "running", "resource": {"x": 1e999}}`, 400, `resource attribute "x" is 1e999, expected a number within the range of a double`},
		{"PUT", "/v1/workers/w", `{"state": "running", "resource": {"x": ` + strings.Repeat("[", 50) + strings.Repeat("]", 50) + `}}`, 400, `resource attribute "x" is nested deeper than 16`},
		{"PUT", "/v1/workers/w", "{\"state\": \"running\", \"reason\": \"\xff\"}", 400, "body is not UTF-8"},
		{"PUT", "/v1/workers/w", `{"state": "running", "reason": "` + strings.Repeat("x", 1<<16) + `"}`, 413, "body is larger than 65536 bytes"},
		{"PUT", "/v1/workers/w", strings.Repeat("[", 60_000), 400, "body is not as expected"},
	} {
		got := r.call(test.method, test.path, test.body, nil)
		name := fmt.Sprintf("%s %.60s %.60s", test.method, test.path, test.body)
		assert.Equal(t, test.code, got.code, name)
		assert.Equal(t, asText, got.header.Get("Content-Type"), name)
		var body struct{ Error string }
		require.NoError(t, json.Unmarshal([]byte(got.body), &body), name)
		assert.Contains(t, body.Error, test.want, name)
		assert.Equal(t, test.code == 405, got.header.Get("Allow") != "", name)
	}
	assert.Empty(t, r.metrics.AllMetrics())
	assert.Len(t, r.list(), 1)
	assert.Equal(t, 404, r.call("GET", "/v1/workersandmore", "", nil).code, "not ours")
	assert.Equal(t, 200, r.post(counter(labels{"worker.id": "w"}, at(1), at(3), 1), asBinary, nil).code)
}

// The limits of the stock block hold here too, before and after decompression.
func TestTheStockSizeLimitCoversWorkers(t *testing.T) {
	r := newRig(t, withConfig(func(c *Config) { c.Protocols.HTTP.Get().ServerConfig.MaxRequestBodySize = 1000 }))
	large := `{"state": "running", "resource": {"x": "` + strings.Repeat("x", 2000) + `"}}`
	got := r.put("w", large)
	assert.Equal(t, 413, got.code)
	assert.Contains(t, got.body, "body is larger than 1000 bytes")

	url := r.httpURL + "/v1/workers/w"
	assert.Equal(t, 413, call(t, "PUT", url, gzipped(t, []byte(large)), labels{"Content-Encoding": "gzip"}).code)
	assert.Equal(t, 202, call(t, "PUT", url, gzipped(t, []byte(`{"state": "running"}`)), labels{"Content-Encoding": "gzip"}).code)
}

func gzipped(t *testing.T, body []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(body)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func TestOddIDsAreTakenAsTheyAre(t *testing.T) {
	r := newRig(t)
	for _, id := range []string{"a/b", "a%2Fb", "..", ".", "a b", "ü✓", "\x00\n\x1b[31m", `"}{"`, "?x=1#y", "w+1", strings.Repeat("x", 1024), "<script>"} {
		r.metrics.Reset()
		require.Equal(t, 202, r.put(id, `{"state": "running"}`).code, "%q", id)
		require.Equal(t, 200, r.put(id, `{"state": "terminated"}`).code, "%q", id)
		for _, s := range r.told() {
			assert.Equal(t, map[string]any{"worker.id": id}, s.resource)
		}
	}
	assert.Len(t, r.list(), 12)
}

func TestThousandsOfIDsStayWithinTheLimit(t *testing.T) {
	r := newRig(t, withConfig(func(c *Config) { c.MaxWorkers = 100 }))
	for i := range 3000 {
		_, err := r.receiver.signalTo(t.Context(), registry.Query{Name: fmt.Sprint("w", i)}, report{}.signal(), nil)
		require.NoError(t, err)
	}
	for i := range 200 {
		require.Equal(t, 202, r.put(fmt.Sprint("x", i), `{"state": "running"}`).code)
	}
	assert.LessOrEqual(t, len(r.list()), 100)
	assert.Equal(t, 200, r.put("x199", `{"state": "terminated"}`).code)
	assert.Equal(t, 202, r.put("w0", `{"state": "terminated"}`).code, "forgotten, and passed on all the same")
	assert.Len(t, r.told(), 3202)
}

func TestBadHeadersAreRefusedWithThePush(t *testing.T) {
	r := newRig(t)
	conn := r.dial()
	for _, test := range []struct {
		headers labels
		want    string
	}{
		{labels{"x-worker-id": "w", "x-worker-state": "dead"}, `header x-worker-state: worker state "dead" is unknown, expected one of running, quiet, terminated`},
		{labels{"x-worker-state": "2"}, `worker state "2" is unknown`},
		{labels{"x-worker-id": strings.Repeat("x", 1025)}, "header x-worker-id is 1025 bytes long, expected at most 1024"},
		{labels{"x-worker-id": "w", "x-worker-incarnation": strings.Repeat("x", 1025)}, "header x-worker-incarnation is 1025 bytes long"},
	} {
		for what, md := range map[string]pmetric.Metrics{"data": counter(nil, at(1), at(2), 1), "no data": pmetric.NewMetrics()} {
			got := r.post(md, asText, test.headers)
			assert.Equal(t, 400, got.code, what)
			var body struct {
				Code    int
				Message string
			}
			require.NoError(t, json.Unmarshal([]byte(got.body), &body))
			assert.Equal(t, int(codes.InvalidArgument), body.Code)
			assert.Contains(t, body.Message, test.want)

			_, err := pmetricotlp.NewGRPCClient(conn).Export(grpcContext(test.headers), pmetricotlp.NewExportRequestFromMetrics(md))
			assert.Equal(t, codes.InvalidArgument, status.Code(err))
			assert.ErrorContains(t, err, test.want)
		}
	}
	assert.Equal(t, 400, r.post(counter(nil, at(1), at(2), 1), asBinary, labels{"x-worker-id": "\xff"}).code)
	two := metadata.NewOutgoingContext(t.Context(), metadata.Pairs("x-worker-id", "a", "x-worker-id", "b"))
	_, err := pmetricotlp.NewGRPCClient(conn).Export(two, pmetricotlp.NewExportRequestFromMetrics(counter(nil, at(1), at(2), 1)))
	assert.ErrorContains(t, err, "header x-worker-id has 2 values, expected one")
	same := metadata.NewOutgoingContext(t.Context(), metadata.Pairs("x-worker-id", "a", "x-worker-id", "a"))
	_, err = pmetricotlp.NewGRPCClient(conn).Export(same, pmetricotlp.NewExportRequest())
	require.NoError(t, err)
	assert.Len(t, r.metrics.AllMetrics(), 1, "nothing else is applied")
}

func TestMalformedOTLPGetsTheStockAnswer(t *testing.T) {
	r := newRig(t)
	for path, want := range map[string]int{"/v1/metrics": 400, "/v1/traces": 400, "/v1/logs": 400, "/v1/nothing": 404} {
		got := r.call("POST", path, "{{", labels{"Content-Type": asText, "x-worker-id": "w", "x-worker-state": "terminated"})
		assert.Equal(t, want, got.code, path)
	}
	got := r.call("POST", "/v1/metrics", "{\"\xde", labels{"Content-Type": asText})
	assert.Equal(t, 400, got.code)
	assert.JSONEq(t, `{"code": 3, "message": "body is no OTLP, and not UTF-8"}`, got.body)
	got = r.call("POST", "/v1/metrics", "{}", labels{"Content-Type": "text/plain", "x-worker-id": "w"})
	assert.Equal(t, 415, got.code)
	assert.Equal(t, 405, r.call("GET", "/v1/metrics", "", labels{"x-worker-state": "dead"}).code)
	assert.Empty(t, r.told(), "what is refused signals nothing")
}
