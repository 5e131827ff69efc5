package workeragg

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog/plogotlp"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"

	"github.com/otelcol-workers/otelcol-workers/receiver/workeragg/internal/nesting"
)

// nested is a text in an array in an array in an array.
func nested(v pcommon.Value, levels int, text string) {
	for range levels {
		v = v.SetEmptySlice().AppendEmpty()
	}
	v.SetStr(text)
}

// The decoders would go down as far as a push is nested, and use up the stack:
// that ends the process, whoever else is served by it.
func TestAPushThatIsNestedTooDeepIsNotDecoded(t *testing.T) {
	long := strings.Repeat("x", nesting.Small)
	for name, test := range map[string]struct {
		levels  int
		text    string
		refused map[string]bool
		taken   int
	}{
		"deep":            {2000, "the ground", nil, 3},
		"large":           {10, long, nil, 3},
		"deep in text":    {3400, "the ground", map[string]bool{asText: true}, 2},
		"large and deep":  {600, long, map[string]bool{asBinary: true}, 1},
		"deep everywhere": {3400, long, map[string]bool{asBinary: true, asText: true}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			conn := r.dial()
			md, td, ld := counter(nil, at(1), at(2), 1), oneSpan(nil), oneLog(nil)
			nested(md.ResourceMetrics().At(0).Resource().Attributes().PutEmpty("k"), test.levels, test.text)
			nested(td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0).Attributes().PutEmpty("k"), test.levels, test.text)
			nested(ld.ResourceLogs().At(0).ScopeLogs().At(0).LogRecords().At(0).Body(), test.levels, test.text)
			metrics := pmetricotlp.NewExportRequestFromMetrics(md)
			traces := ptraceotlp.NewExportRequestFromTraces(td)
			logs := plogotlp.NewExportRequestFromLogs(ld)
			for _, contentType := range []string{asBinary, asText} {
				for path, request := range map[string]encodable{"/v1/metrics": metrics, "/v1/traces": traces, "/v1/logs": logs} {
					got := r.postTo(path, request, contentType, nil)
					if test.refused[contentType] {
						assert.Equal(t, 400, got.code, "%s %s", path, contentType)
						assert.Contains(t, got.body, "request is nested deeper than")
						assert.Equal(t, contentType, got.header.Get("Content-Type"))
					} else {
						assert.Equal(t, 200, got.code, "%s %s %.100s", path, contentType, got.body)
					}
				}
			}
			_, byMetrics := pmetricotlp.NewGRPCClient(conn).Export(t.Context(), metrics)
			_, byTraces := ptraceotlp.NewGRPCClient(conn).Export(t.Context(), traces)
			_, byLogs := plogotlp.NewGRPCClient(conn).Export(t.Context(), logs)
			for _, err := range []error{byMetrics, byTraces, byLogs} {
				if test.refused[asBinary] {
					require.ErrorContains(t, err, "request is nested deeper than 1000 levels")
				} else {
					require.NoError(t, err)
				}
			}
			assert.Len(t, r.metrics.AllMetrics(), test.taken, "of three")
		})
	}
}

// What is compressed is looked at when it is unpacked.
func TestACompressedPushIsScannedToo(t *testing.T) {
	r := newRig(t)
	md := counter(nil, at(1), at(2), 1)
	nested(md.ResourceMetrics().At(0).Resource().Attributes().PutEmpty("k"), 600, strings.Repeat("x", nesting.Small))
	body, err := pmetricotlp.NewExportRequestFromMetrics(md).MarshalProto()
	require.NoError(t, err)
	got := call(t, "POST", r.httpURL+"/v1/metrics", gzipped(t, body), labels{"Content-Type": asBinary, "Content-Encoding": "gzip"})
	assert.Equal(t, 400, got.code)
	assert.Contains(t, got.body, "request is nested deeper than 1000 levels")
}
