package core

import (
	"fmt"
	"testing"
	"time"

	"go.opentelemetry.io/collector/pdata/pmetric"
)

func bigTable(b testing.TB, services, metrics, perMetric int) (*Table, *Batch, Instant) {
	opt := &Options{Identity: [][]string{{"service.instance.id"}}, GroupBy: []string{"service.name"}, MaxSeries: 1 << 24, MaxStreamsPerWorker: 1 << 20, MaxWorkers: 1 << 20}
	now := Instant{Wall: time.Now().UnixNano(), Mono: 1}
	t := NewTable(opt, 7, now)
	var bt Batch
	for s := range services {
		md := pmetric.NewMetrics()
		rm := md.ResourceMetrics().AppendEmpty()
		rm.Resource().Attributes().PutStr("service.name", fmt.Sprint("svc", s))
		rm.Resource().Attributes().PutStr("service.instance.id", fmt.Sprint("id", s))
		sm := rm.ScopeMetrics().AppendEmpty()
		for m := range metrics {
			me := sm.Metrics().AppendEmpty()
			me.SetName(fmt.Sprintf("metric.%d", m))
			sum := me.SetEmptySum()
			sum.SetIsMonotonic(true)
			sum.SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
			for p := range perMetric {
				dp := sum.DataPoints().AppendEmpty()
				dp.SetIntValue(int64(p + 5))
				dp.SetTimestamp(1000)
				dp.SetStartTimestamp(1)
				dp.Attributes().PutStr("http.request.method", "GET")
				dp.Attributes().PutStr("http.route", fmt.Sprintf("/api/v1/things/%d/{id}", p))
				dp.Attributes().PutInt("http.response.status_code", 200)
			}
		}
		bt.Prepare(t.Hasher(), opt, md)
		if r := t.Apply(&bt, now); r.Err != nil {
			b.Fatal(r.Err)
		}
	}
	return t, &bt, now
}

func BenchmarkZFlush(b *testing.B) {
	t, _, now := bigTable(b, 200, 10, 100)
	var f *Flush
	var step, build time.Duration
	var md pmetric.Metrics
	b.ReportAllocs()
	for b.Loop() {
		now.Wall += 1e9
		t0 := time.Now()
		f = t.BeginFlush(now, 0)
		for f.Step() {
		}
		t1 := time.Now()
		md = f.Metrics()
		step += t1.Sub(t0)
		build += time.Since(t1)
	}
	n := float64(b.N) * 200000
	b.ReportMetric(float64(step.Nanoseconds())/n, "step-ns/series")
	b.ReportMetric(float64(build.Nanoseconds())/n, "build-ns/series")
	t0 := time.Now()
	for range 5 {
		_, _ = new(pmetric.ProtoMarshaler).MarshalMetrics(md)
	}
	b.ReportMetric(float64(time.Since(t0).Nanoseconds())/5/200000, "marshal-ns/series")
	t0 = time.Now()
	for range 5 {
		c := pmetric.NewMetrics()
		md.CopyTo(c)
	}
	b.ReportMetric(float64(time.Since(t0).Nanoseconds())/5/200000, "copy-ns/series")
}
