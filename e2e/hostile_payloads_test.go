package e2e

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	metric "go.opentelemetry.io/proto/otlp/metrics/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

// verdict is what a push is answered over HTTP and over gRPC.
type verdict struct {
	http int
	grpc codes.Code
}

var (
	taken      = verdict{200, codes.OK}
	refused    = verdict{400, codes.InvalidArgument}
	overLimit  = verdict{429, codes.ResourceExhausted}
	unreadable = verdict{400, codes.Internal}
)

// payload is a push, in the encodings in which there is one.
type payload struct {
	want         verdict
	binary, text []byte
}

func text(key, value string) *common.KeyValue {
	return &common.KeyValue{Key: key, Value: &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: value}}}
}

func many(n int) []*common.KeyValue {
	all := make([]*common.KeyValue, n)
	for i := range all {
		all[i] = text(fmt.Sprint("k", i), "v")
	}
	return all
}

// hostilePayloads are pushes that nobody should send, by name.
func hostilePayloads(t *testing.T) map[string]payload {
	long := strings.Repeat("x", 1<<20)
	double := func(v float64) func(parts) {
		return func(p parts) { p.point.Value = &metric.NumberDataPoint_AsDouble{AsDouble: v} }
	}
	integer := func(v int64) func(parts) {
		return func(p parts) { p.point.Value = &metric.NumberDataPoint_AsInt{AsInt: v} }
	}
	return map[string]payload{
		"10,000 attributes of a point":    evil(t, taken, func(p parts) { p.point.Attributes = many(10_000) }),
		"10,000 attributes of a resource": evil(t, taken, func(p parts) { p.worker.Attributes = append(p.worker.Attributes, many(10_000)...) }),
		"10,000 attributes of a scope":    evil(t, taken, func(p parts) { p.scope.Attributes = many(10_000) }),
		"a value of 1 MB":                 evil(t, taken, func(p parts) { p.point.Attributes = append(p.point.Attributes, text("k", long)) }),
		"a key of 1 MB":                   evil(t, taken, func(p parts) { p.point.Attributes = append(p.point.Attributes, text(long, "v")) }),
		"a worker's name of 1 MB":         evil(t, taken, func(p parts) { p.worker.Attributes = append(p.worker.Attributes, text("worker.id", long)) }),
		"a group's name of 1 MB":          evil(t, taken, func(p parts) { p.worker.Attributes = []*common.KeyValue{text("service.name", long)} }),
		"a metric's name of 1 MB":         evil(t, taken, func(p parts) { p.metric.Name = long }),
		"a description of 1 MB":           evil(t, taken, func(p parts) { p.metric.Description = long }),
		"a unit of 1 MB":                  evil(t, taken, func(p parts) { p.metric.Unit = long }),
		"a scope's name of 1 MB":          evil(t, taken, func(p parts) { p.scope.Name = long }),
		"3,300 levels, on a point":        evil(t, taken, func(p parts) { p.point.Attributes = append(p.point.Attributes, deep(3300)) }),
		"3,300 levels, on a resource":     evil(t, taken, func(p parts) { p.worker.Attributes = append(p.worker.Attributes, deep(3300)) }),
		"as deep as 4 MB":                 bottomless(4_000_000),
		"the same key twice, and a name": evil(t, taken, func(p parts) {
			p.point.Attributes = append(p.point.Attributes, text("k", "a"), text("k", "b"))
			p.worker.Attributes = append(p.worker.Attributes, text("worker.id", "a"), text("worker.id", "b"))
		}),
		"names that are one for Prometheus": evil(t, taken, func(p parts) {
			p.point.Attributes = append(p.point.Attributes, text("k.k", "a"), text("k_k", "b"), text("k k", "c"), text("", "d"), text("__name__", "e"), text("le", "f"))
		}),
		"names that run into each other": evil(t, taken, func(p parts) {
			sum := p.metric.GetSum()
			for i := 1; i < 200; i++ {
				point := proto.CloneOf(p.point)
				point.Attributes = []*common.KeyValue{text(strings.Repeat("x", i), strings.Repeat("x", 200-i))}
				sum.DataPoints = append(sum.DataPoints, point)
			}
		}),
		"no time":                  evil(t, taken, func(p parts) { p.point.TimeUnixNano, p.point.StartTimeUnixNano = 0, 0 }),
		"the end of time":          evil(t, taken, func(p parts) { p.point.TimeUnixNano = math.MaxUint64 }),
		"started at its end":       evil(t, taken, func(p parts) { p.point.StartTimeUnixNano = math.MaxUint64 }),
		"started in a far future":  evil(t, taken, func(p parts) { p.point.StartTimeUnixNano = 1 << 62 }),
		"the greatest int":         evil(t, taken, integer(math.MaxInt64)),
		"the least int":            evil(t, refused, integer(math.MinInt64)),
		"infinite":                 evil(t, refused, double(math.Inf(1))),
		"less than nothing":        evil(t, refused, double(math.Inf(-1))),
		"not a number":             evil(t, refused, double(math.NaN())),
		"next to nothing":          evil(t, taken, double(math.SmallestNonzeroFloat64)),
		"the greatest double":      evil(t, taken, double(math.MaxFloat64)),
		"100,000 buckets":          evil(t, overLimit, func(p parts) { p.metric.Name, p.metric.Data = "evil.buckets", histogram(100_000, 1) }),
		"counts that overflow":     evil(t, refused, func(p parts) { p.metric.Name, p.metric.Data = "evil.counts", histogram(3, math.MaxUint64) }),
		"100,000 exponential ones": evil(t, taken, func(p parts) { p.metric.Name, p.metric.Data = "evil.exponential", exponential(20, 0, 100_000) }),
		"buckets beyond all":       evil(t, refused, func(p parts) { p.metric.Name, p.metric.Data = "evil.offset", exponential(20, math.MaxInt32-10, 10) }),
		"a scale beyond all":       evil(t, refused, func(p parts) { p.metric.Name, p.metric.Data = "evil.scale", exponential(math.MaxInt32, 0, 10) }),
		"a metric without data":    evil(t, taken, func(p parts) { p.metric.Data = nil }),
		"another kind of metric under an honest name": evil(t, taken, func(p parts) {
			p.metric.Name = "jobs.done"
			p.metric.Data = &metric.Metric_Gauge{Gauge: &metric.Gauge{DataPoints: []*metric.NumberDataPoint{p.point}}}
		}),
		"an honest name and no resource": evil(t, taken, func(p parts) { p.worker.Attributes, p.metric.Name = nil, "jobs.done" }),
		"nothing":                        {want: taken, binary: []byte{}, text: []byte("{}")},
		"no OTLP":                        {want: unreadable, binary: []byte("GET / HTTP/1.1\r\n\r\n"), text: []byte(`{"resourceMetrics": 1}`)},
		"no end":                         {want: unreadable, binary: []byte("\x0a\xff\xff\xff\xff\x0f"), text: []byte(`{"resourceMetrics": [{`)},
	}
}

type namedPayload struct {
	name string
	payload
}

// explosions are pushes that fill every table to its limit, and one that then
// finds no room.
func explosions(t *testing.T) []namedPayload {
	named := func(p parts, i int) *metric.ResourceMetrics {
		one := proto.CloneOf(p.push.ResourceMetrics[0])
		one.Resource.Attributes = append(one.Resource.Attributes, text("worker.id", fmt.Sprint("w", i)))
		return one
	}
	return []namedPayload{
		{"5,000 series of one worker", evil(t, taken, func(p parts) {
			for i := range 5000 {
				point := proto.CloneOf(p.point)
				point.Attributes = []*common.KeyValue{text("user", strconv.Itoa(i))}
				p.metric.GetSum().DataPoints = append(p.metric.GetSum().DataPoints, point)
			}
		})},
		{"5,000 groups", evil(t, taken, func(p parts) {
			for i := range 5000 {
				one := named(p, i)
				one.Resource.Attributes = append(one.Resource.Attributes, text("service.namespace", strconv.Itoa(i)))
				p.push.ResourceMetrics = append(p.push.ResourceMetrics, one)
			}
		})},
		{"5,000 workers", evil(t, taken, func(p parts) {
			for i := range 5000 {
				p.push.ResourceMetrics = append(p.push.ResourceMetrics, named(p, i))
			}
		})},
		{"one worker more", evil(t, overLimit, func(p parts) { p.push.ResourceMetrics[0] = named(p, 5000) })},
	}
}
