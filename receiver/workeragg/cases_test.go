package workeragg

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/processor/processortest"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain"
)

// pair is the receiver with the processor behind it, as they are meant to run.
type pair struct {
	*rig
	out   *consumertest.MetricsSink
	flush func()
}

func newPair(t *testing.T) *pair {
	t.Helper()
	factory := deadworkerretain.NewFactory()
	cfg := factory.CreateDefaultConfig()
	// The stories tell of points from long ago, which count whole.
	require.NoError(t, confmap.NewFromStringMap(map[string]any{"initial_value": "keep"}).Unmarshal(&cfg))
	p := &pair{rig: newRig(t), out: new(consumertest.MetricsSink)}
	processor, err := factory.CreateMetrics(context.Background(), processortest.NewNopSettings(factory.Type()), cfg, p.out)
	require.NoError(t, err)
	require.NoError(t, processor.Start(context.Background(), componenttest.NewNopHost()))
	p.metrics.answers(func(md pmetric.Metrics) error { return processor.ConsumeMetrics(context.Background(), md) })
	// The receivers stop first; the processor flushes when it stops.
	p.flush = func() {
		t.Helper()
		require.NoError(t, p.stop())
		require.NoError(t, processor.Shutdown(context.Background()))
	}
	return p
}

// total is the last value that came out under a name, false if none did.
func (p *pair) total(name string) (int64, bool) {
	var value int64
	found := false
	for _, md := range p.out.AllMetrics() {
		for _, rm := range md.ResourceMetrics().All() {
			for _, sm := range rm.ScopeMetrics().All() {
				for _, m := range sm.Metrics().All() {
					if m.Name() != name {
						continue
					}
					points := m.Gauge().DataPoints
					if m.Type() == pmetric.MetricTypeSum {
						points = m.Sum().DataPoints
					}
					for _, dp := range points().All() {
						if !dp.Flags().NoRecordedValue() {
							value, found = dp.IntValue(), true
						}
					}
				}
			}
		}
	}
	return value, found
}

func withSum(md pmetric.Metrics, name string, start, t pcommon.Timestamp, value int64) pmetric.Metrics {
	counter := counter(nil, start, t, value).ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().At(0)
	counter.SetName(name)
	counter.CopyTo(md.ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().AppendEmpty())
	return md
}

func withGauge(md pmetric.Metrics, name string, t pcommon.Timestamp, value int64) pmetric.Metrics {
	m := md.ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().AppendEmpty()
	m.SetName(name)
	dp := m.SetEmptyGauge().DataPoints().AppendEmpty()
	dp.SetTimestamp(t)
	dp.SetIntValue(value)
	return md
}

func TestCase4SwanSongSentTwice(t *testing.T) {
	for _, way := range []string{"http protobuf", "http json", "grpc"} {
		t.Run(way, func(t *testing.T) {
			p := newPair(t)
			send := transports(p.rig)[way]
			who := labels{"service.instance.id": "A"}
			require.Equal(t, 200, send(counter(who, at(100), at(110), 10), nil))
			for range 2 {
				song := withSum(counter(who, at(100), at(115), 13), "only_at_exit", at(100), at(115), 2)
				require.Equal(t, 200, send(song, labels{"x-worker-id": "A", "x-worker-state": "terminated"}))
			}
			p.flush()
			value, _ := p.total("jobs.done")
			assert.EqualValues(t, 13, value)
			value, _ = p.total("only_at_exit")
			assert.EqualValues(t, 2, value)
		})
	}
}

func TestCase22GoodbyeOvertaken(t *testing.T) {
	p := newPair(t)
	who := labels{"service.instance.id": "A", "worker.incarnation": "1"}
	goodbye := labels{"x-worker-id": "A", "x-worker-state": "terminated"}
	require.Equal(t, 200, p.post(withGauge(counter(who, at(1), at(20), 10), "queue", at(20), 5), asBinary, goodbye).code)
	require.Equal(t, 200, p.post(withGauge(counter(who, at(1), at(18), 9), "queue", at(18), 100), asBinary, nil).code)
	assert.Equal(t, "terminated", p.list()[0]["state"], "a straggler brings nobody back")
	require.Equal(t, 200, p.post(counter(who, at(1), at(25), 11), asBinary, nil).code)
	assert.Equal(t, "running", p.list()[0]["state"])
	p.flush()
	value, _ := p.total("jobs.done")
	assert.EqualValues(t, 11, value)
	value, shown := p.total("queue")
	assert.False(t, shown, "queue is %d", value)
}

// A zombie that wakes up after its replacement learns of it, and harms nobody.
func TestAReplacedLifeChangesNothing(t *testing.T) {
	p := newPair(t)
	life := func(incarnation string) labels { return labels{"worker.id": "w", "worker.incarnation": incarnation} }
	require.Equal(t, 200, p.post(counter(life("1"), at(1), at(10), 5), asBinary, nil).code)
	require.Equal(t, 200, p.put("w", `{"state": "terminated", "incarnation": "1", "reason": "SIGKILL"}`).code)
	require.Equal(t, 200, p.post(counter(life("2"), at(11), at(20), 3), asBinary, nil).code)

	got := p.put("w", `{"state": "running", "incarnation": "1"}`)
	assert.Equal(t, 409, got.code, got.body)
	assert.Contains(t, got.body, `"living":["w (worker.incarnation=2)"]`)
	zombie := labels{"x-worker-id": "w", "x-worker-incarnation": "1", "x-worker-state": "running"}
	assert.Equal(t, 409, p.post(pmetric.NewMetrics(), asText, zombie).code)
	assert.Equal(t, 409, p.postTraces(oneSpan(labels{"worker.id": "w"}), asText, zombie).code)
	assert.Equal(t, 200, p.put("w", `{"state": "terminated", "incarnation": "1"}`).code, "said again: acknowledged again")

	listed := p.list()
	assert.Equal(t, "terminated", listed[0]["state"])
	assert.Equal(t, "running", listed[1]["state"])
	require.Equal(t, 200, p.post(counter(life("2"), at(11), at(30), 4), asBinary, nil).code)
	p.flush()
	value, _ := p.total("jobs.done")
	assert.EqualValues(t, 9, value)
}

// Pre-forked siblings: who names no life is told to, and nobody dies.
func TestAGoodbyeThatNamesNoneOfSeveralLivesIsRefused(t *testing.T) {
	p := newPair(t)
	for _, pid := range []string{"1", "2"} {
		require.Equal(t, 200, p.post(counter(labels{"service.instance.id": "A", "process.pid": pid}, at(1), at(10), 5), asBinary, nil).code)
	}
	got := p.put("A", `{"state": "terminated"}`)
	assert.Equal(t, 409, got.code, got.body)
	assert.Contains(t, got.body, "process.pid=1")
	assert.Contains(t, got.body, "process.pid=2")
	got = p.put("A", `{"state": "terminated", "pid": 2}`)
	assert.Equal(t, 200, got.code, got.body)
	assert.Equal(t, 200, p.put("A", `{"state": "terminated"}`).code, "one is left")
	p.flush()
	value, _ := p.total("jobs.done")
	assert.EqualValues(t, 10, value)
}
