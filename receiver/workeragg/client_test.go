package workeragg

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/plog/plogotlp"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	"google.golang.org/grpc/metadata"
)

// labels are resource attributes or headers.
type labels = map[string]string

// at is a point in time of the story that a test tells, in seconds.
func at(seconds int64) pcommon.Timestamp { return pcommon.Timestamp(seconds * int64(time.Second)) }

// counter is one cumulative sum of one worker.
func counter(resource labels, start, t pcommon.Timestamp, value int64) pmetric.Metrics {
	md := pmetric.NewMetrics()
	addCounter(md, resource, start, t, value)
	return md
}

func addCounter(md pmetric.Metrics, resource labels, start, t pcommon.Timestamp, value int64) {
	rm := md.ResourceMetrics().AppendEmpty()
	for k, v := range resource {
		rm.Resource().Attributes().PutStr(k, v)
	}
	m := rm.ScopeMetrics().AppendEmpty().Metrics().AppendEmpty()
	m.SetName("jobs.done")
	sum := m.SetEmptySum()
	sum.SetIsMonotonic(true)
	sum.SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
	dp := sum.DataPoints().AppendEmpty()
	dp.SetStartTimestamp(start)
	dp.SetTimestamp(t)
	dp.SetIntValue(value)
}

func oneSpan(resource labels) ptrace.Traces {
	td := ptrace.NewTraces()
	rs := td.ResourceSpans().AppendEmpty()
	for k, v := range resource {
		rs.Resource().Attributes().PutStr(k, v)
	}
	rs.ScopeSpans().AppendEmpty().Spans().AppendEmpty().SetName("job")
	return td
}

func oneLog(resource labels) plog.Logs {
	ld := plog.NewLogs()
	rl := ld.ResourceLogs().AppendEmpty()
	for k, v := range resource {
		rl.Resource().Attributes().PutStr(k, v)
	}
	rl.ScopeLogs().AppendEmpty().LogRecords().AppendEmpty().Body().SetStr("done")
	return ld
}

// answer is what an HTTP call got back.
type answer struct {
	code   int
	header http.Header
	body   string
}

func (r *rig) call(method, path, body string, headers labels) answer {
	r.t.Helper()
	return call(r.t, method, r.httpURL+path, []byte(body), headers)
}

func call(t *testing.T, method, url string, body []byte, headers labels) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, url, bytes.NewReader(body))
	require.NoError(t, err)
	for k, v := range headers {
		req.Header.Set(k, v)
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	resp, err := transport.RoundTrip(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	got, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return answer{code: resp.StatusCode, header: resp.Header, body: string(got)}
}

const (
	asText   = "application/json"
	asBinary = "application/x-protobuf"
)

// post pushes metrics over HTTP in either encoding.
func (r *rig) post(md pmetric.Metrics, contentType string, headers labels) answer {
	r.t.Helper()
	request := pmetricotlp.NewExportRequestFromMetrics(md)
	return r.postTo("/v1/metrics", request, contentType, headers)
}

func (r *rig) postTraces(td ptrace.Traces, contentType string, headers labels) answer {
	r.t.Helper()
	return r.postTo("/v1/traces", ptraceotlp.NewExportRequestFromTraces(td), contentType, headers)
}

func (r *rig) postLogs(ld plog.Logs, contentType string, headers labels) answer {
	r.t.Helper()
	return r.postTo("/v1/logs", plogotlp.NewExportRequestFromLogs(ld), contentType, headers)
}

type encodable interface {
	MarshalProto() ([]byte, error)
	MarshalJSON() ([]byte, error)
}

func (r *rig) postTo(path string, request encodable, contentType string, headers labels) answer {
	r.t.Helper()
	encode := request.MarshalProto
	if contentType == asText {
		encode = request.MarshalJSON
	}
	body, err := encode()
	require.NoError(r.t, err)
	all := labels{"Content-Type": contentType}
	maps.Copy(all, headers)
	return call(r.t, http.MethodPost, r.httpURL+path, body, all)
}

// grpcContext carries headers as gRPC metadata.
func grpcContext(headers labels) context.Context {
	return metadata.NewOutgoingContext(context.Background(), metadata.New(headers))
}
