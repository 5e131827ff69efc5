package payload

import (
	"fmt"

	"go.opentelemetry.io/collector/pdata/pmetric"
)

// Wide is modelled on what an HTTP server exports with the runtime metrics of
// its SDK: histograms with the bounds of the semantic conventions, integer and
// floating-point counters, up-down counters and gauges, in three scopes. Each
// route brings two methods with two status codes.
func Wide(routes int) Shape {
	return newShape("wide", func(rm pmetric.ResourceMetrics) {
		http := scope(rm, "io.opentelemetry.contrib.http.server")
		for _, name := range []string{"http.server.request.duration", "http.server.request.body.size", "http.server.response.body.size"} {
			m := http.Metrics().AppendEmpty()
			m.SetName(name)
			h := m.SetEmptyHistogram()
			h.SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
			for i := range routes * 4 {
				dp := h.DataPoints().AppendEmpty()
				dp.ExplicitBounds().FromRaw(durationBounds)
				dp.BucketCounts().FromRaw(make([]uint64, len(durationBounds)+1))
				a := dp.Attributes()
				a.PutStr("http.request.method", methods[i%2])
				a.PutStr("http.route", fmt.Sprintf("/api/v1/things/%d/{id}", i/4))
				a.PutInt("http.response.status_code", int64(200+i/2%2*300))
				a.PutStr("url.scheme", "https")
				a.PutStr("network.protocol.version", "1.1")
			}
		}
		upDown(http, "http.server.active_requests", "http.request.method", "GET", "POST")

		rt := scope(rm, "io.opentelemetry.contrib.runtime")
		upDown(rt, "runtime.memory.used", "memory.type", "stack", "heap", "other")
		total(rt, "runtime.memory.allocated", "")
		total(rt, "runtime.memory.allocations", "")
		total(rt, "runtime.gc.cycles", "gc.kind", "young", "old")
		upDown(rt, "runtime.threads", "thread.state", "runnable", "waiting", "blocked")
		gauge(rt, "runtime.heap.goal", "")
		gauge(rt, "runtime.queue.length", "queue.name", "default", "mail", "index", "images")

		host := scope(rm, "io.opentelemetry.contrib.process")
		total(host, "process.cpu.time", "cpu.mode", "user", "system", "wait")
		total(host, "process.context_switches", "process.context_switch.type", "voluntary", "involuntary")
		total(host, "process.disk.io", "disk.io.direction", "read", "write")
		total(host, "process.network.io", "network.io.direction", "receive", "transmit")
		gauge(host, "process.cpu.utilization", "cpu.mode", "user", "system", "wait")
		upDown(host, "process.memory.usage", "")
		upDown(host, "process.unix.file_descriptor.count", "")
	})
}

// The bounds that the semantic conventions advise for durations in seconds.
// https://opentelemetry.io/docs/specs/semconv/http/http-metrics/
var durationBounds = []float64{0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10}

func total(sm pmetric.ScopeMetrics, name, key string, values ...string) {
	m := sm.Metrics().AppendEmpty()
	m.SetName(name)
	spread(counter(m).DataPoints(), key, values)
}

func upDown(sm pmetric.ScopeMetrics, name, key string, values ...string) {
	m := sm.Metrics().AppendEmpty()
	m.SetName(name)
	s := m.SetEmptySum()
	s.SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
	spread(s.DataPoints(), key, values)
}

func gauge(sm pmetric.ScopeMetrics, name, key string, values ...string) {
	m := sm.Metrics().AppendEmpty()
	m.SetName(name)
	spread(m.SetEmptyGauge().DataPoints(), key, values)
}

// spread makes one point for each value of the attribute; without a key, one point.
func spread(dps pmetric.NumberDataPointSlice, key string, values []string) {
	if key == "" {
		dps.AppendEmpty()
		return
	}
	for _, v := range values {
		dps.AppendEmpty().Attributes().PutStr(key, v)
	}
}
