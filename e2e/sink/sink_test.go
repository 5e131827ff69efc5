package sink

import (
	"bytes"
	"math"
	"net/http"
	"testing"

	"github.com/golang/snappy"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	colmetric "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	metric "go.opentelemetry.io/proto/otlp/metrics/v1"
	resource "go.opentelemetry.io/proto/otlp/resource/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

func post(t *testing.T, url string, body []byte) int {
	t.Helper()
	resp, err := http.Post(url, "application/x-protobuf", bytes.NewReader(body))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode
}

func text(key, value string) *common.KeyValue {
	return &common.KeyValue{Key: key, Value: &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: value}}}
}

func TestOTLP(t *testing.T) {
	s := OTLP(t)
	body, err := proto.Marshal(&colmetric.ExportMetricsServiceRequest{ResourceMetrics: []*metric.ResourceMetrics{{
		Resource: &resource.Resource{Attributes: []*common.KeyValue{text("service.name", "shop")}},
		ScopeMetrics: []*metric.ScopeMetrics{{Metrics: []*metric.Metric{{
			Name: "jobs", Data: &metric.Metric_Sum{Sum: &metric.Sum{DataPoints: []*metric.NumberDataPoint{
				{Attributes: []*common.KeyValue{text("k", "a")}, Value: &metric.NumberDataPoint_AsInt{AsInt: 3}},
				{Attributes: []*common.KeyValue{text("k", "b")}, Value: &metric.NumberDataPoint_AsDouble{AsDouble: 0.5}},
			}}}}}}},
	}}})
	require.NoError(t, err)

	s.Refuse(1)
	assert.Equal(t, http.StatusServiceUnavailable, post(t, s.URL+"/v1/metrics", body))
	assert.Empty(t, s.All("jobs"))
	assert.Equal(t, 1, s.Refused())

	assert.Equal(t, http.StatusOK, post(t, s.URL+"/v1/metrics", body))
	assert.ElementsMatch(t, []Series{
		{"jobs", map[string]string{"service.name": "shop", "k": "a"}, 3},
		{"jobs", map[string]string{"service.name": "shop", "k": "b"}, 0.5},
	}, s.All("jobs"))
}

// message is one field that holds a message or a text.
func message(number protowire.Number, content []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), content)
}

func TestRemoteWrite(t *testing.T) {
	label := func(name, value string) []byte {
		return message(1, append(message(1, []byte(name)), message(2, []byte(value))...))
	}
	sample := protowire.AppendFixed64(protowire.AppendTag(nil, 1, protowire.Fixed64Type), math.Float64bits(2.5))
	sample = protowire.AppendVarint(protowire.AppendTag(sample, 2, protowire.VarintType), 1000)
	series := append(append(label(nameLabel, "jobs_total"), label("job", "shop")...), message(2, sample)...)

	s := RemoteWrite(t)
	assert.Equal(t, http.StatusOK, post(t, s.URL+"/api/v1/write", snappy.Encode(nil, message(1, series))))
	assert.Equal(t, []Series{{"jobs_total", map[string]string{"job": "shop"}, 2.5}}, s.All("jobs_total"))
}
