package core

import (
	"os"
	"regexp"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

// The memory formula of the README: what a stream takes whose series is there
// already, and what a series takes beyond its stream.
func TestMemoryFormula(t *testing.T) {
	const streams, few, many = 1000, 10, 110
	r := newRig(&Options{
		Identity: [][]string{{"service.instance.id"}}, GroupBy: []string{"service.name"}, StaleAfter: time.Hour, InitialValue: InitialKeep,
		MaxWorkers: 1000, MaxSeries: 1_000_000, MaxStreamsPerWorker: 10_000, MaxTombstones: 1000,
	})
	md := counters(streams)
	resource := md.ResourceMetrics().At(0).Resource().Attributes()
	push := func(service func(worker int) int, from, to int) float64 {
		for i := from; i < to; i++ {
			resource.PutStr("service.name", strconv.Itoa(service(i)))
			resource.PutStr("service.instance.id", strconv.Itoa(i))
			require.NoError(t, r.apply(decoded(t, md)).Err)
		}
		return float64(heapInUse())
	}
	one := func(int) int { return 0 }
	own := func(worker int) int { return worker }
	none := push(one, 0, few)
	shared := push(one, few, many)
	apart := push(own, many, 2*many-few)
	stream := (shared - none) / float64((many-few)*streams)
	series := (apart-shared)/float64((many-few)*streams) - stream
	t.Logf("%.1f bytes a stream, %.1f bytes a series", stream, series)
	require.LessOrEqual(t, stream, promised(t, "stream"))
	require.LessOrEqual(t, series, promised(t, "series"))
	runtime.KeepAlive(r)
}

// counters is the push of a worker with that many counters of three attributes.
func counters(n int) pmetric.Metrics {
	md := pmetric.NewMetrics()
	m := md.ResourceMetrics().AppendEmpty().ScopeMetrics().AppendEmpty().Metrics().AppendEmpty()
	m.SetName("http.server.requests")
	m.SetEmptySum().SetIsMonotonic(true)
	m.Sum().SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
	for i := range n {
		dp := m.Sum().DataPoints().AppendEmpty()
		dp.SetStartTimestamp(1)
		dp.SetTimestamp(2)
		dp.SetIntValue(int64(i))
		dp.Attributes().PutStr("http.request.method", "GET")
		dp.Attributes().PutStr("http.route", "/api/v1/things/"+strconv.Itoa(i))
		dp.Attributes().PutInt("http.response.status_code", 200)
	}
	return md
}

// decoded is a push as it comes from a receiver, with strings of its own.
func decoded(t *testing.T, md pmetric.Metrics) pmetric.Metrics {
	bytes, err := new(pmetric.ProtoMarshaler).MarshalMetrics(md)
	require.NoError(t, err)
	again, err := new(pmetric.ProtoUnmarshaler).UnmarshalMetrics(bytes)
	require.NoError(t, err)
	return again
}

// promised is what the README says that something takes, in bytes.
func promised(t *testing.T, what string) float64 {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	row := regexp.MustCompile(`\| a ` + what + ` \| (\d+) \|`).FindSubmatch(readme)
	require.NotNil(t, row, "the README does not say what a %s takes", what)
	bytes, err := strconv.ParseFloat(string(row[1]), 64)
	require.NoError(t, err)
	return bytes
}
