package workeragg

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/receiver/receivertest"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/otelcol-workers/otelcol-workers/receiver/workeragg/internal/metadata"
)

// carried checks that a request survives the wire, as the next tier would read it.
func carried(t *testing.T, md pmetric.Metrics) {
	t.Helper()
	wire, err := new(pmetric.ProtoMarshaler).MarshalMetrics(md)
	require.NoError(t, err)
	read, err := new(pmetric.ProtoUnmarshaler).UnmarshalMetrics(wire)
	require.NoError(t, err)
	assert.Equal(t, md.ResourceMetrics().At(0).Resource().Attributes().AsRaw(), read.ResourceMetrics().At(0).Resource().Attributes().AsRaw())
}

func FuzzReport(f *testing.F) {
	for _, seed := range []string{
		`{"state": "terminated", "incarnation": "3", "pid": 42, "reason": "SIGKILL", "resource": {"service.name": "web", "n": [1, 2.5, {"k": null}]}}`,
		`{"state": "running", "incarnation": 3}`, `{"state": "quiet", "incarnation": null, "resource": {"process.pid": "7", "worker.incarnation": 1e3}}`,
		`{}`, `null`, `[]`, `{"state": "running"}{`, "{\"state\": \"\xff\"}", `{"STATE": "running"}`, `{"state": "running", "resource": {"": ""}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := readReport(io.NopCloser(bytes.NewReader(body)))
		if err != nil {
			assert.NotEmpty(t, err.Error())
			return
		}
		assert.True(t, r.state.Valid())
		assert.LessOrEqual(t, len(r.incarnation), maxReport)
		s := r.signal()
		md := s.asMetrics(resourceOfReport(t, r))
		carried(t, md)
		assert.Equal(t, []told{{md.ResourceMetrics().At(0).Resource().Attributes().AsRaw(), r.state, s.Reason, s.Cause}}, signalsIn(t, md))
	})
}

func FuzzHeaders(f *testing.F) {
	f.Add("w", "1", "terminated", "w")
	f.Add("", "", "", "")
	f.Add(" a\tb ", "\xff", "Running", "c")
	f.Fuzz(func(t *testing.T, id, incarnation, state, second string) {
		keys := httpKeys("x-worker-id")
		p, err := pushFromHTTP(keys, http.Header{keys.id: {id, second}, keys.incarnation: {incarnation}, keys.state: {state}})
		if err != nil {
			assert.Equal(t, codes.InvalidArgument, status.Code(err))
			assert.True(t, utf8.ValidString(err.Error()), "%q", err)
			return
		}
		assert.Equal(t, id, second)
		for _, name := range []string{p.workerID, p.incarnation} {
			assert.True(t, utf8.ValidString(name))
			assert.LessOrEqual(t, len(name), maxName)
		}
		assert.Equal(t, p.saysState, p.state.Valid() && p.saysState)
		md := counter(nil, at(1), at(2), 1)
		p.identify(md.ResourceMetrics().At(0).Resource())
		carried(t, md)
	})
}

// FuzzWorkersAPI calls the real handler: whatever is sent, the answer is JSON
// and never the server's fault.
func FuzzWorkersAPI(f *testing.F) {
	f.Add("PUT", "w", []byte(`{"state": "running"}`))
	f.Add("GET", "", []byte{})
	f.Add("POST", "a%2Fb", []byte("{"))
	f.Add("PUT", "%ff/..//%", []byte(`{"state": "terminated"}`))
	r, err := newReceiver(ephemeral(), receivertest.NewNopSettings(metadata.Type), func() {})
	require.NoError(f, err)
	f.Cleanup(func() { _ = r.Shutdown(context.Background()) })
	r.nextMetrics = carriedSink{}
	f.Fuzz(func(t *testing.T, method, path string, body []byte) {
		req := httptest.NewRequest(http.MethodPut, "/v1/workers", bytes.NewReader(body))
		req.Method = method
		rest := path
		if rest != "" {
			rest = "/" + rest
		}
		recorder := httptest.NewRecorder()
		r.serveWorkers(recorder, req, rest)
		assert.Contains(t, []int{200, 202, 400, 404, 405, 409, 413}, recorder.Code)
		assert.True(t, json.Valid(recorder.Body.Bytes()))
	})
}

func resourceOfReport(t *testing.T, r report) pcommon.Resource {
	t.Helper()
	resource := pcommon.NewResource()
	r.resource.CopyTo(resource.Attributes())
	return resource
}
