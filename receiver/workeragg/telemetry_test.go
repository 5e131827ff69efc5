package workeragg

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
	"github.com/otelcol-workers/otelcol-workers/receiver/workeragg/internal/metadatatest"
)

// oneSignal is one signal.
func oneSignal(source, state string) metricdata.DataPoint[int64] {
	return metricdata.DataPoint[int64]{Value: 1, Attributes: attribute.NewSet(
		attribute.String("source", source), attribute.String("state", state))}
}

func number(n int64) []metricdata.DataPoint[int64] {
	return []metricdata.DataPoint[int64]{{Value: n}}
}

func inBand(md pmetric.Metrics, state lifecycle.State) pmetric.Metrics {
	lifecycle.Signal{State: state, Time: at(2)}.AppendTo(md.ResourceMetrics().At(0))
	return md
}

func TestTelemetryCountsSignalsBySourceAndState(t *testing.T) {
	r := newRig(t, watching(0))
	data := func(id string) pmetric.Metrics { return counter(labels{"worker.id": id}, at(1), at(2), 1) }
	r.post(data("a"), asBinary, nil)
	r.post(inBand(data("b"), lifecycle.Running), asBinary, nil)
	r.post(inBand(inBand(data("b"), lifecycle.Quiet), lifecycle.Terminated), asText, nil)
	r.post(inBand(data("b"), lifecycle.State(7)), asText, nil)
	r.post(data("c"), asBinary, labels{"x-worker-id": "c", "x-worker-state": "terminated"})
	r.postTraces(oneSpan(nil), asBinary, labels{"x-worker-id": "d"})
	r.put("a", `{"state": "quiet"}`)
	r.put("e", `{"state": "terminated"}`)

	metadatatest.AssertEqualWorkeraggSignals(t, r.telemetry, []metricdata.DataPoint[int64]{
		oneSignal("in_band", "running"),
		oneSignal("in_band", "quiet"),
		oneSignal("in_band", "terminated"),
		oneSignal("header", "terminated"),
		oneSignal("header", "running"),
		oneSignal("http", "quiet"),
		oneSignal("http", "terminated"),
	}, metricdatatest.IgnoreTimestamp(), metricdatatest.IgnoreExemplars())
	metadatatest.AssertEqualWorkeraggWorkers(t, r.telemetry, number(4), metricdatatest.IgnoreTimestamp(), metricdatatest.IgnoreExemplars())
	require.Equal(t, lifecycle.Terminated, r.receiver.registry.List()[1].State, "in band is heard too")
}

func TestTelemetryCountsLostConnections(t *testing.T) {
	underFakeClock(t, nil, func(w *watched) {
		conn := w.connect()
		w.push(conn, first1)
		w.disconnect(conn)
		after(grace)
		metadatatest.AssertEqualWorkeraggSignals(t, w.telemetry,
			[]metricdata.DataPoint[int64]{oneSignal("connection", "terminated")}, metricdatatest.IgnoreTimestamp(), metricdatatest.IgnoreExemplars())
		metadatatest.AssertEqualWorkeraggWorkers(t, w.telemetry, number(1), metricdatatest.IgnoreTimestamp(), metricdatatest.IgnoreExemplars())
	})
}

func TestTelemetryCountsFencedSignals(t *testing.T) {
	r := newRig(t)
	both := counter(labels{"worker.id": "a", "container.id": "c"}, at(1), at(2), 1)
	addCounter(both, labels{"worker.id": "b", "container.id": "c"}, at(1), at(2), 1)
	r.post(both, asBinary, nil)
	r.put("c", `{"state": "terminated"}`)
	r.metrics.refuses(fenced)
	r.put("a", `{"state": "running", "incarnation": 1}`)
	r.post(counter(nil, at(1), at(2), 1), asBinary, labels{"x-worker-id": "w", "x-worker-state": "running"})
	r.postTraces(oneSpan(nil), asBinary, labels{"x-worker-id": "v"})
	metadatatest.AssertEqualWorkeraggFenced(t, r.telemetry, number(4), metricdatatest.IgnoreTimestamp(), metricdatatest.IgnoreExemplars())
}
