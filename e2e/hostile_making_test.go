package e2e

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	colmetric "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	metric "go.opentelemetry.io/proto/otlp/metrics/v1"
	resource "go.opentelemetry.io/proto/otlp/resource/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// parts are those of a push of one point that is as it should be.
type parts struct {
	push   *colmetric.ExportMetricsServiceRequest
	worker *resource.Resource
	scope  *common.InstrumentationScope
	metric *metric.Metric
	point  *metric.NumberDataPoint
}

// evil is a push of a worker of the service evil, after a change.
func evil(t *testing.T, want verdict, change func(p parts)) payload {
	t.Helper()
	now := uint64(time.Now().UnixNano())
	point := &metric.NumberDataPoint{StartTimeUnixNano: now - 1e9, TimeUnixNano: now, Value: &metric.NumberDataPoint_AsInt{AsInt: 1}}
	m := &metric.Metric{Name: "evil", Data: &metric.Metric_Sum{Sum: &metric.Sum{
		AggregationTemporality: metric.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE, IsMonotonic: true,
		DataPoints: []*metric.NumberDataPoint{point},
	}}}
	worker := &resource.Resource{Attributes: []*common.KeyValue{text("service.name", "evil")}}
	scope := &common.InstrumentationScope{Name: "evil"}
	push := &colmetric.ExportMetricsServiceRequest{ResourceMetrics: []*metric.ResourceMetrics{{
		Resource: worker, ScopeMetrics: []*metric.ScopeMetrics{{Scope: scope, Metrics: []*metric.Metric{m}}},
	}}}
	change(parts{push, worker, scope, m, point})
	asBinary, err := proto.Marshal(push)
	require.NoError(t, err)
	asText, err := protojson.MarshalOptions{UseEnumNumbers: true}.Marshal(push)
	require.NoError(t, err)
	return payload{want, asBinary, asText}
}

// deep is a value in an array in an array in an array.
func deep(levels int) *common.KeyValue {
	v := &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: "the ground"}}
	for range levels {
		v = &common.AnyValue{Value: &common.AnyValue_ArrayValue{ArrayValue: &common.ArrayValue{Values: []*common.AnyValue{v}}}}
	}
	return &common.KeyValue{Key: "k", Value: v}
}

// bottomless are pushes as deep as fits into so many bytes. No encoder makes
// them: they are written from the inside out.
func bottomless(size int) payload {
	var reversed []byte
	within := func(number byte) {
		head := binary.AppendUvarint([]byte{number<<3 | 2}, uint64(len(reversed)))
		slices.Reverse(head)
		reversed = append(reversed, head...)
	}
	for len(reversed) < size-100 {
		within(1) // values of an ArrayValue
		within(5) // array_value of an AnyValue
	}
	for _, number := range []byte{2, 1, 1, 1} { // value, attributes, resource, resource_metrics
		within(number)
	}
	slices.Reverse(reversed)

	var open bytes.Buffer
	open.WriteString(`{"resourceMetrics":[{"resource":{"attributes":[{"key":"k","value":`)
	level, end := `{"arrayValue":{"values":[`, `]}}`
	levels := (size - 200) / len(level+end)
	open.WriteString(strings.Repeat(level, levels) + strings.Repeat(end, levels) + `}]}}]}`)
	return payload{unreadable, reversed, open.Bytes()}
}

func histogram(buckets int, count uint64) *metric.Metric_Histogram {
	dp := &metric.HistogramDataPoint{TimeUnixNano: 1, BucketCounts: make([]uint64, buckets), ExplicitBounds: make([]float64, buckets-1)}
	for i := range dp.ExplicitBounds {
		dp.ExplicitBounds[i] = float64(i)
	}
	for i := range dp.BucketCounts {
		dp.BucketCounts[i] = count
	}
	dp.Count = count * uint64(buckets)
	return &metric.Metric_Histogram{Histogram: &metric.Histogram{
		AggregationTemporality: metric.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE,
		DataPoints:             []*metric.HistogramDataPoint{dp},
	}}
}

func exponential(scale, offset int32, buckets int) *metric.Metric_ExponentialHistogram {
	counts := make([]uint64, buckets)
	for i := range counts {
		counts[i] = 1
	}
	return &metric.Metric_ExponentialHistogram{ExponentialHistogram: &metric.ExponentialHistogram{
		AggregationTemporality: metric.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE,
		DataPoints: []*metric.ExponentialHistogramDataPoint{{TimeUnixNano: 1, Scale: scale, Count: uint64(buckets),
			Positive: &metric.ExponentialHistogramDataPoint_Buckets{Offset: offset, BucketCounts: counts}}},
	}}
}
