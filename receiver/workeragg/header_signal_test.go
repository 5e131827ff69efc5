package workeragg

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// Case 4: the swan song with a metric never seen before, sent twice.
func TestDataAndGoodbyeAreOneRequestForThePipeline(t *testing.T) {
	r := newRig(t)
	for name, send := range transports(r) {
		t.Run(name, func(t *testing.T) {
			r.metrics.Reset()
			goodbye := labels{"x-worker-id": "w1", "x-worker-state": "terminated"}
			song := func() pmetric.Metrics {
				md := counter(labels{"worker.id": "w1", "service.name": "web"}, at(100), at(115), 13)
				addCounter(md, labels{"worker.id": "w1", "service.name": "web"}, at(100), at(115), 2)
				return md
			}
			require.Equal(t, 200, send(song(), goodbye))
			require.Equal(t, 200, send(song(), goodbye), "acknowledged again")

			require.Len(t, r.metrics.AllMetrics(), 2, "one request each")
			for _, md := range r.metrics.AllMetrics() {
				assert.Equal(t, 3, md.DataPointCount())
				assert.Equal(t, []told{{map[string]any{"worker.id": "w1", "service.name": "web"}, lifecycle.Terminated, "goodbye", ""}}, signalsIn(t, md))
				last := md.ResourceMetrics().At(md.ResourceMetrics().Len() - 1).ScopeMetrics()
				assert.Equal(t, "worker.state", last.At(last.Len()-1).Metrics().At(0).Name(), "behind all data of the worker")
			}
		})
	}
}

func TestAGoodbyeReachesTheLifeOfTheData(t *testing.T) {
	r := newRig(t)
	md := counter(labels{"worker.id": "w1", "worker.incarnation": "1"}, at(1), at(2), 1)
	addCounter(md, labels{"worker.id": "w2"}, at(1), at(2), 1)
	addCounter(md, labels{"worker.id": "w1", "worker.incarnation": "2"}, at(1), at(2), 1)
	r.post(md, asBinary, labels{"x-worker-id": "w1", "x-worker-incarnation": "1", "x-worker-state": "terminated"})
	assert.Equal(t, []told{{map[string]any{"worker.id": "w1", "worker.incarnation": "1"}, lifecycle.Terminated, "goodbye", ""}}, r.told())
}

func TestAGoodbyeOfAnotherLifeThanTheDataStandsApart(t *testing.T) {
	r := newRig(t)
	md := counter(labels{"worker.id": "w1", "worker.incarnation": "2", "color": "red"}, at(1), at(2), 1)
	r.post(md, asBinary, labels{"x-worker-id": "w1", "x-worker-incarnation": "1", "x-worker-state": "terminated"})
	assert.Equal(t, []told{{map[string]any{"worker.id": "w1", "worker.incarnation": "1", "color": "red"}, lifecycle.Terminated, "goodbye", ""}}, r.told())
	require.Equal(t, 2, r.lastRequest().ResourceMetrics().Len())
	listed := r.receiver.registry.List()
	require.Len(t, listed, 1)
	assert.Equal(t, lifecycle.Running, listed[0].State, "the life of the data is not touched")
}

func TestAHeaderWithoutIDMeansTheOnlyWorkerOfThePush(t *testing.T) {
	r := newRig(t)
	require.Equal(t, 200, r.post(counter(labels{"service.instance.id": "i"}, at(1), at(2), 1), asBinary, labels{"x-worker-state": "quiet"}).code)
	assert.Equal(t, []told{{map[string]any{"service.instance.id": "i"}, lifecycle.Quiet, "", ""}}, r.told())
	require.Equal(t, 200, r.post(counter(nil, at(1), at(2), 1), asBinary, labels{"x-worker-state": "terminated"}).code)
	assert.Equal(t, told{map[string]any{}, lifecycle.Terminated, "goodbye", ""}, r.told()[1], "the anonymous worker")

	r.metrics.Reset()
	several := counter(labels{"worker.id": "a"}, at(1), at(2), 1)
	addCounter(several, labels{"worker.id": "b"}, at(1), at(2), 1)
	got := r.post(several, asText, labels{"x-worker-state": "terminated"})
	assert.Equal(t, 400, got.code)
	assert.Contains(t, got.body, "header x-worker-state needs x-worker-id: the push has data of several workers")
	got = r.post(pmetric.NewMetrics(), asText, labels{"x-worker-state": "terminated"})
	assert.Equal(t, 400, got.code)
	assert.Contains(t, got.body, "the push has no data that names a worker")
	got = r.post(counter(labels{"worker.id": "a", "worker.incarnation": "2"}, at(1), at(2), 1), asText,
		labels{"x-worker-state": "terminated", "x-worker-incarnation": "1"})
	assert.Equal(t, 400, got.code)
	assert.Contains(t, got.body, `header x-worker-incarnation is \"1\", but the data is of another life`)
	assert.Empty(t, r.metrics.AllMetrics(), "nothing of it is applied")
}

// A worker may be called by its SDK's id in its data and by its own in headers.
func TestTheNameInTheHeaderFindsTheWorkerOfTheData(t *testing.T) {
	r := newRig(t)
	data := labels{"service.instance.id": "uuid", "service.name": "web"}
	where := map[string]any{"service.instance.id": "uuid", "service.name": "web"}
	r.post(counter(data, at(1), at(2), 1), asBinary, labels{"x-worker-id": "slot-3"})
	require.Equal(t, 200, r.post(counter(data, at(1), at(3), 2), asBinary, labels{"x-worker-id": "slot-3", "x-worker-state": "quiet"}).code)
	require.Equal(t, 200, r.post(pmetric.NewMetrics(), asBinary, labels{"x-worker-id": "slot-3", "x-worker-state": "terminated"}).code)
	require.Equal(t, 200, r.call("PUT", "/v1/workers/slot-3", `{"state":"terminated"}`, nil).code)
	assert.Equal(t, []told{
		{where, lifecycle.Quiet, "", ""},
		{where, lifecycle.Terminated, "goodbye", ""},
		{where, lifecycle.Terminated, "reported", ""},
	}, r.told())
}

func TestAPushWithoutDataStillSpeaks(t *testing.T) {
	r := newRig(t)
	for name, send := range transports(r) {
		t.Run(name, func(t *testing.T) {
			r.metrics.Reset()
			require.Equal(t, 200, send(pmetric.NewMetrics(), labels{"x-worker-id": "w", "x-worker-incarnation": "5"}))
			require.Equal(t, 200, send(pmetric.NewMetrics(), labels{"x-worker-id": "w", "x-worker-incarnation": "5", "x-worker-state": "Terminated"}))
			require.Equal(t, 200, send(pmetric.NewMetrics(), nil))
			who := map[string]any{"worker.id": "w", "worker.incarnation": "5"}
			assert.Equal(t, []told{{who, lifecycle.Running, "", ""}, {who, lifecycle.Terminated, "goodbye", ""}}, r.told())
		})
	}
}

func TestSignalsOnTracesAndLogs(t *testing.T) {
	r := newRig(t)
	data := labels{"service.name": "web", "process.pid": "7"}
	headers := labels{"x-worker-id": "w", "x-worker-incarnation": "5", "x-worker-state": "terminated"}
	require.Equal(t, 200, r.postTraces(oneSpan(data), asBinary, headers).code)
	require.Equal(t, 200, r.postLogs(oneLog(data), asText, headers).code)
	require.Equal(t, 200, r.postTraces(ptrace.NewTraces(), asText, headers).code)
	full := map[string]any{"service.name": "web", "process.pid": "7", "worker.id": "w", "worker.incarnation": "5"}
	named := map[string]any{"service.name": "web", "worker.id": "w", "worker.incarnation": "5"}
	assert.Equal(t, []told{
		{full, lifecycle.Terminated, "goodbye", ""},
		{full, lifecycle.Terminated, "goodbye", ""},
		{named, lifecycle.Terminated, "goodbye", ""},
	}, r.told())
	assert.Equal(t, 1, r.traces.SpanCount())
	assert.Equal(t, 1, r.logsSink.LogRecordCount())
}

func TestTracesAndLogsAreHeartbeatsNowAndThen(t *testing.T) {
	r := newRig(t)
	headers := labels{"x-worker-id": "w"}
	for range 5 {
		require.Equal(t, 200, r.postTraces(oneSpan(nil), asBinary, headers).code)
		require.Equal(t, 200, r.postLogs(oneLog(nil), asBinary, headers).code)
		require.Equal(t, 200, r.postLogs(oneLog(nil), asBinary, nil).code)
	}
	assert.Equal(t, []told{{map[string]any{"worker.id": "w"}, lifecycle.Running, "", ""}}, r.told())
	require.Equal(t, 200, r.postLogs(oneLog(nil), asBinary, labels{"x-worker-id": "v"}).code)
	assert.Len(t, r.told(), 2, "rationed by worker")
}

func TestAMetricsPushIsItsOwnHeartbeat(t *testing.T) {
	r := newRig(t)
	headers := labels{"x-worker-id": "w"}
	require.Equal(t, 200, r.post(counter(nil, at(1), at(2), 1), asBinary, headers).code)
	require.Equal(t, 200, r.postTraces(oneSpan(nil), asBinary, headers).code)
	assert.Empty(t, r.told())
	assert.Len(t, r.metrics.AllMetrics(), 1)
}

func TestHeadersMayBeTurnedOff(t *testing.T) {
	r := newRig(t, withConfig(func(c *Config) { c.Identity.Header = "" }))
	require.Equal(t, 200, r.post(counter(nil, at(1), at(2), 1), asText, labels{"x-worker-id": "w"}).code)
	assert.Empty(t, resourceOf(r.metrics.AllMetrics()[0]))
	got := r.post(pmetric.NewMetrics(), asText, labels{"x-worker-id": "w", "x-worker-state": "terminated"})
	assert.Equal(t, 400, got.code)
	assert.Contains(t, got.body, "which identity::header turns off")
}
