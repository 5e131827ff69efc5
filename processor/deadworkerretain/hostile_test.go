package deadworkerretain_test

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain"
)

// TestHostilePushes sends what nobody should. Each gets a defined answer, and what
// an honest worker counts is not touched by it: not at once, not when the sender
// has died, not when it is forgotten a day later.
func TestHostilePushes(t *testing.T) {
	for name, hostile := range map[string]struct {
		push pmetric.Metrics
		// refused is what the error must say, "" if the push is taken.
		refused string
	}{
		"10,000 attributes of a point":    {push: evil(func(_ pcommon.Map, dp pmetric.NumberDataPoint) { many(dp.Attributes()) })},
		"10,000 attributes of a resource": {push: evil(func(w pcommon.Map, _ pmetric.NumberDataPoint) { many(w) })},
		"an attribute of 1 MB":            {push: evil(func(_ pcommon.Map, dp pmetric.NumberDataPoint) { dp.Attributes().PutStr("k", long) })},
		"a name of 1 MB":                  {push: evil(func(w pcommon.Map, _ pmetric.NumberDataPoint) { w.PutStr("worker.id", long) })},
		"a key of 1 MB":                   {push: evil(func(_ pcommon.Map, dp pmetric.NumberDataPoint) { dp.Attributes().PutStr(long, "v") })},
		"an attribute 2,000 levels deep":  {push: evil(func(_ pcommon.Map, dp pmetric.NumberDataPoint) { deep(dp.Attributes().PutEmpty("k"), 2000) })},
		"a name 2,000 levels deep":        {push: evil(func(w pcommon.Map, _ pmetric.NumberDataPoint) { deep(w.PutEmpty("worker.id"), 2000) })},
		"no time":                         {push: evil(func(_ pcommon.Map, dp pmetric.NumberDataPoint) { dp.SetTimestamp(0); dp.SetStartTimestamp(0) })},
		"the end of time":                 {push: evil(func(_ pcommon.Map, dp pmetric.NumberDataPoint) { dp.SetTimestamp(math.MaxUint64) })},
		"started at the end of time":      {push: evil(func(_ pcommon.Map, dp pmetric.NumberDataPoint) { dp.SetStartTimestamp(math.MaxUint64) })},
		"started in a hundred years":      {push: evil(func(_ pcommon.Map, dp pmetric.NumberDataPoint) { dp.SetStartTimestamp(1 << 62) })},
		"an int that is negative":         {push: evil(func(_ pcommon.Map, dp pmetric.NumberDataPoint) { dp.SetIntValue(math.MinInt64) }), refused: "expected 0 or more"},
		"infinite":                        {push: evil(func(_ pcommon.Map, dp pmetric.NumberDataPoint) { dp.SetDoubleValue(math.Inf(1)) }), refused: "expected a finite number"},
		"not a number":                    {push: evil(func(_ pcommon.Map, dp pmetric.NumberDataPoint) { dp.SetDoubleValue(math.NaN()) }), refused: "expected a finite number"},
		"100,000 buckets":                 {push: buckets(100_000), refused: "the number of distinct bounds of a histogram series is 4096 and reached"},
		"the same attribute key twice":    {push: twice(t)},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &slowSink{}
				p := started(t, s, nil, func(c *deadworkerretain.Config) { c.FlushInterval = 10 * time.Minute })
				honest := int64(0)
				count := func() {
					honest += 3
					require.NoError(t, p.ConsumeMetrics(t.Context(), counting(1, honest, false)))
				}
				count()
				for range 2 {
					err := p.ConsumeMetrics(t.Context(), hostile.push)
					if hostile.refused == "" {
						require.NoError(t, err)
					} else {
						require.ErrorContains(t, err, hostile.refused)
					}
				}
				count()
				time.Sleep(20 * time.Minute)
				require.Equal(t, honest, s.last())
				for range 60 { // the sender dies, its values go, it is forgotten
					time.Sleep(30 * time.Minute)
					count()
				}
				// A newcomer counts whole.
				newcomer := counting(2, 100, false)
				number(newcomer).SetStartTimestamp(pcommon.NewTimestampFromTime(time.Now()))
				require.NoError(t, p.ConsumeMetrics(t.Context(), newcomer))
				time.Sleep(20 * time.Minute)
				require.Equal(t, honest+100, s.last())
				require.NoError(t, p.Shutdown(t.Context()))
			})
		})
	}
}

var long = strings.Repeat("x", 1<<20)

// evil is the push of a worker beside the honest one, with a metric of its own.
func evil(change func(worker pcommon.Map, dp pmetric.NumberDataPoint)) pmetric.Metrics {
	md := counting(666, 1, false)
	md.ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().At(0).SetName("evil")
	change(md.ResourceMetrics().At(0).Resource().Attributes(), number(md))
	return md
}

func number(md pmetric.Metrics) pmetric.NumberDataPoint {
	return md.ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().At(0).Sum().DataPoints().At(0)
}

func many(m pcommon.Map) {
	for i := range 10_000 {
		m.PutInt(strings.Repeat("k", i%50)+string(rune('a'+i%26))+time.Duration(i).String(), int64(i))
	}
}

func deep(v pcommon.Value, levels int) {
	for range levels {
		v = v.SetEmptyMap().PutEmpty("k")
	}
	v.SetStr("the ground")
}

func buckets(n int) pmetric.Metrics {
	md := evil(func(pcommon.Map, pmetric.NumberDataPoint) {})
	h := md.ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().At(0).SetEmptyHistogram()
	h.SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
	dp := h.DataPoints().AppendEmpty()
	dp.SetTimestamp(1)
	bounds := make([]float64, n-1)
	for i := range bounds {
		bounds[i] = float64(i)
	}
	dp.ExplicitBounds().FromRaw(bounds)
	dp.BucketCounts().FromRaw(make([]uint64, n))
	return md
}

// twice says the resource two times, which a protobuf reader puts together: each
// attribute is then there twice, worker.id with two values.
func twice(t *testing.T) pmetric.Metrics {
	md := evil(func(pcommon.Map, pmetric.NumberDataPoint) {})
	resource := func(id string) []byte {
		// Resource{attributes: KeyValue{key: "worker.id", value: AnyValue{string_value: id}}}
		value := field(1, []byte(id))
		pair := append(field(1, []byte("worker.id")), field(2, value)...)
		return field(1, field(1, pair))
	}
	rm := md.ResourceMetrics().At(0)
	rm.Resource().Attributes().Clear()
	raw, err := (&pmetric.ProtoMarshaler{}).MarshalMetrics(md)
	require.NoError(t, err)
	_, head := binary.Uvarint(raw[1:])
	body := slices.Concat(raw[1+head:], resource("666"), resource("667"))
	again, err := (&pmetric.ProtoUnmarshaler{}).UnmarshalMetrics(field(1, body))
	require.NoError(t, err)
	require.Equal(t, 2, again.ResourceMetrics().At(0).Resource().Attributes().Len())
	return again
}

// field is a protobuf field with a length.
func field(number byte, body []byte) []byte {
	return append(binary.AppendUvarint([]byte{number<<3 | 2}, uint64(len(body))), body...)
}
