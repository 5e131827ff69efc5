package sink

import (
	"testing"

	colmetric "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	metric "go.opentelemetry.io/proto/otlp/metrics/v1"
	"google.golang.org/protobuf/proto"
)

// OTLP is a backend that takes OTLP over HTTP. It reads sums; resource and point
// attributes are the labels of its series.
func OTLP(t testing.TB) *Sink { return start(t, "/v1/metrics", readOTLP) }

func readOTLP(body []byte) ([]Series, error) {
	var request colmetric.ExportMetricsServiceRequest
	if err := proto.Unmarshal(body, &request); err != nil {
		return nil, err
	}
	var all []Series
	for _, rm := range request.ResourceMetrics {
		resource := attributes(rm.Resource.GetAttributes())
		for _, sm := range rm.ScopeMetrics {
			for _, m := range sm.Metrics {
				for _, dp := range m.GetSum().GetDataPoints() {
					all = append(all, Series{m.Name, joined(resource, attributes(dp.Attributes)), value(dp)})
				}
			}
		}
	}
	return all, nil
}

func value(dp *metric.NumberDataPoint) float64 {
	if i, ok := dp.Value.(*metric.NumberDataPoint_AsInt); ok {
		return float64(i.AsInt)
	}
	return dp.GetAsDouble()
}

func attributes(kvs []*common.KeyValue) map[string]string {
	labels := map[string]string{}
	for _, kv := range kvs {
		labels[kv.Key] = kv.Value.GetStringValue()
	}
	return labels
}
