package workeragg

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// told is a signal as the pipeline got it.
type told struct {
	resource map[string]any
	state    lifecycle.State
	reason   string
	cause    string
}

// signalsIn are the signals of a request. They are last in their resource.
func signalsIn(t *testing.T, md pmetric.Metrics) []told {
	t.Helper()
	var all []told
	for _, rm := range md.ResourceMetrics().All() {
		sms := rm.ScopeMetrics()
		for i := range sms.Len() {
			for _, m := range sms.At(i).Metrics().All() {
				if !lifecycle.IsSignal(m) {
					continue
				}
				assert.Equal(t, sms.Len()-1, i, "a signal stands behind the data")
				s, err := lifecycle.Read(m.Gauge().DataPoints().At(0))
				require.NoError(t, err)
				assert.NotZero(t, s.Time)
				all = append(all, told{rm.Resource().Attributes().AsRaw(), s.State, s.Reason, s.Cause})
			}
		}
	}
	return all
}

// told are the signals of all requests, in order.
func (r *rig) told() []told {
	r.t.Helper()
	var all []told
	for _, md := range r.metrics.AllMetrics() {
		all = append(all, signalsIn(r.t, md)...)
	}
	return all
}

// lastRequest is what the pipeline got last.
func (r *rig) lastRequest() pmetric.Metrics {
	r.t.Helper()
	all := r.metrics.AllMetrics()
	require.NotEmpty(r.t, all)
	return all[len(all)-1]
}

// transports are the ways a push of metrics can arrive. Each returns the HTTP
// status, or what the gRPC status corresponds to.
func transports(r *rig) map[string]func(pmetric.Metrics, labels) int {
	conn := r.dial()
	return map[string]func(pmetric.Metrics, labels) int{
		"http protobuf": func(md pmetric.Metrics, headers labels) int { return r.post(md, asBinary, headers).code },
		"http json":     func(md pmetric.Metrics, headers labels) int { return r.post(md, asText, headers).code },
		"grpc": func(md pmetric.Metrics, headers labels) int {
			_, err := pmetricotlp.NewGRPCClient(conn).Export(grpcContext(headers), pmetricotlp.NewExportRequestFromMetrics(md))
			if err == nil {
				return 200
			}
			return httpCode(statusOf(err))
		},
	}
}
