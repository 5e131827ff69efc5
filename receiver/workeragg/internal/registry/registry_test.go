package registry

import (
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

type attrs = map[string]any

func resource(t testing.TB, raw attrs) pcommon.Resource {
	t.Helper()
	r := pcommon.NewResource()
	require.NoError(t, r.Attributes().FromRaw(raw))
	return r
}

func hints(t testing.TB, raw attrs) pcommon.Map { return resource(t, raw).Attributes() }

func newRegistry(maxWorkers int) (*Registry, *int64) {
	var size int64
	return New(maxWorkers, time.Hour, Events{
		Resized: func(by int64) { size += by },
		Lost:    func([]*Worker, int64) {},
	}), &size
}

func second(n int64) int64 { return n * int64(time.Second) }

// push is a sighting of metrics at a second, whose points are of that second.
func push(n int64) Sighting { return Sighting{Now: second(n), Newest: second(n), Metrics: true} }

func died(reason string) lifecycle.Signal {
	return lifecycle.Signal{State: lifecycle.Terminated, Reason: reason}
}

func TestTheFirstCompleteCandidateNamesTheWorker(t *testing.T) {
	for id, raw := range map[string]attrs{
		"w":       {"worker.id": "w", "service.instance.id": "i"},
		"i":       {"service.instance.id": "i", "host.name": "h", "process.pid": 7},
		"h/7":     {"host.name": "h", "process.pid": 7, "k8s.pod.uid": "p"},
		"p":       {"host.name": "h", "k8s.pod.uid": "p"},
		"c":       {"container.id": "c", "faas.instance": "f"},
		"f":       {"faas.instance": "f", "worker.id": ""},
		"a b/ü\n": {"worker.id": "a b/ü\n"},
	} {
		r, _ := newRegistry(10)
		w := r.Observe(resource(t, raw), push(1))
		require.NotNil(t, w, id)
		assert.Equal(t, id, w.ID())
	}
	r, size := newRegistry(10)
	assert.Nil(t, r.Observe(resource(t, attrs{"service.name": "web", "process.pid": 7}), push(1)))
	assert.Zero(t, *size)
}

func TestOneEntryPerLife(t *testing.T) {
	r, size := newRegistry(10)
	a := r.Observe(resource(t, attrs{"worker.id": "w", "process.pid": 1}), push(1))
	b := r.Observe(resource(t, attrs{"worker.id": "w", "process.pid": 2}), push(2))
	assert.NotSame(t, a, b)
	assert.True(t, SameWorker(a, b))
	same := r.Observe(resource(t, attrs{"worker.id": "w", "process.pid": 1, "k8s.replicaset.name": "rs2"}), push(3))
	assert.Same(t, a, same, "a descriptive attribute moves nothing")
	other := r.Observe(resource(t, attrs{"worker.id": "w", "process.pid": 1, "service.name": "batch"}), push(3))
	assert.NotSame(t, a, other, "another group")
	assert.False(t, SameWorker(a, other))
	assert.EqualValues(t, 3, *size)
	assert.Equal(t, 3, r.Len())
}

func TestAnUnchangedResourceIsNotCopied(t *testing.T) {
	r, _ := newRegistry(10)
	rs := [2]pcommon.Resource{
		resource(t, attrs{"worker.id": "w", "version": 1}),
		resource(t, attrs{"worker.id": "w", "version": 2}),
	}
	for _, res := range rs {
		r.Observe(res, push(1))
	}
	allocs := testing.AllocsPerRun(100, func() {
		r.Observe(rs[0], push(2))
		r.Observe(rs[1], push(2))
	})
	assert.Zero(t, allocs)
}

func TestStatesOnlyMoveForwardWithinALife(t *testing.T) {
	r, _ := newRegistry(10)
	res := resource(t, attrs{"worker.id": "w"})
	w := r.Observe(res, push(10))
	state := func() lifecycle.State { return r.List()[0].State }

	r.Applied(w, lifecycle.Signal{State: lifecycle.Quiet}, "http")
	r.Applied(w, lifecycle.Signal{State: lifecycle.Running}, "http")
	assert.Equal(t, lifecycle.Quiet, state())
	r.Applied(w, died(lifecycle.ReasonGoodbye), "header")
	r.Applied(w, lifecycle.Signal{State: lifecycle.Running}, "http")
	assert.Equal(t, lifecycle.Terminated, state(), "a heartbeat that the goodbye has overtaken")
	assert.Equal(t, "header", r.List()[0].Source)
}

// Case 22: the straggler changes nothing, the later point brings it back.
func TestOnlyALaterPointBringsBackWhoSaidGoodbye(t *testing.T) {
	r, _ := newRegistry(10)
	res := resource(t, attrs{"worker.id": "w"})
	w := r.Observe(res, push(20))
	r.Applied(w, died(lifecycle.ReasonGoodbye), "header")
	r.Observe(res, Sighting{Now: second(21), Newest: second(18)})
	assert.Equal(t, lifecycle.Terminated, r.List()[0].State)
	r.Observe(res, Sighting{Now: second(22), Newest: second(20)})
	assert.Equal(t, lifecycle.Terminated, r.List()[0].State, "the goodbye's own push, repeated")
	r.Observe(res, Sighting{Now: second(26), Newest: second(25)})
	assert.Equal(t, lifecycle.Running, r.List()[0].State)
	assert.Empty(t, r.List()[0].Reason)
}

func TestAHeartbeatUndoesADeathThatWasAGuess(t *testing.T) {
	for _, reason := range []string{lifecycle.ReasonConnectionLost, lifecycle.ReasonReported} {
		r, _ := newRegistry(10)
		w := r.Observe(resource(t, attrs{"worker.id": "w"}), push(1))
		r.Applied(w, died(reason), "connection")
		r.Applied(w, lifecycle.Signal{State: lifecycle.Running}, "header")
		assert.Equal(t, lifecycle.Running, r.List()[0].State)
	}
}

func TestTheLongestSilentAreForgottenWhenThereAreTooMany(t *testing.T) {
	r, size := newRegistry(32)
	for i := range int64(33) {
		r.Observe(resource(t, attrs{"worker.id": strconv.FormatInt(i, 10)}), push(100-i))
	}
	assert.EqualValues(t, 30, *size)
	assert.Equal(t, 30, r.Len())
	for i := range int64(33) {
		_, known, err := r.Resolve(Query{Name: strconv.FormatInt(i, 10)})
		require.NoError(t, err)
		// The newcomer is the oldest of all and stays none the less.
		assert.Equal(t, i < 29 || i == 32, known, i)
	}
}

func TestOneWorkerIsTheSmallestRegistry(t *testing.T) {
	r, size := newRegistry(1)
	for i := range int64(1000) {
		require.NotNil(t, r.Observe(resource(t, attrs{"worker.id": strconv.FormatInt(i, 10), "container.id": "c"}), push(i)))
	}
	assert.EqualValues(t, 1, *size)
	assert.Len(t, r.byHash, 1)
	assert.Len(t, r.byName, 2)
}

func TestIdleWorkersAreForgottenUnlessConnected(t *testing.T) {
	r, size := newRegistry(10)
	conn := &Conn{}
	idle := resource(t, attrs{"worker.id": "idle"})
	held := resource(t, attrs{"worker.id": "held"})
	r.Observe(idle, push(0))
	r.Observe(held, Sighting{Now: 0, Conn: conn})
	r.Sweep(time.Unix(3599, 0))
	assert.EqualValues(t, 2, *size)
	r.Sweep(time.Unix(3600, 0))
	assert.EqualValues(t, 1, *size)
	r.Disconnect(conn, second(3601), false)
	r.Sweep(time.Unix(3601, 0))
	assert.Zero(t, *size)
	assert.Empty(t, r.byHash)
	assert.Empty(t, r.byName)

	require.NotNil(t, r.Observe(idle, push(7200)), "who is forgotten is learnt anew")
	r.Clear()
	assert.Zero(t, *size)
}

func TestHeartbeatsAreRationed(t *testing.T) {
	r, _ := newRegistry(10)
	w := r.Observe(resource(t, attrs{"worker.id": "w"}), Sighting{Now: second(1)})
	every := second(5)
	assert.True(t, w.DueForHeartbeat(second(5), every))
	assert.False(t, w.DueForHeartbeat(second(9), every))
	assert.True(t, w.DueForHeartbeat(second(10), every))
	r.Sighted(w, Sighting{Now: second(12), Metrics: true})
	assert.False(t, w.DueForHeartbeat(second(16), every), "its metrics were one")
}

func TestConcurrentPushesOfTheSameAndOfManyWorkers(t *testing.T) {
	r, size := newRegistry(64)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			conn := &Conn{}
			for i := range int64(200) {
				shared := r.Observe(resource(t, attrs{"worker.id": "shared", "n": i % 7}), Sighting{Now: i, Newest: i, Conn: conn})
				r.Observe(resource(t, attrs{"worker.id": fmt.Sprint(g, i), "container.id": "c"}), push(i))
				r.Applied(shared, died(lifecycle.ReasonReported), "http")
				r.Alias(shared, fmt.Sprint("alias", g))
				_, _, _ = r.Resolve(Query{Name: "c"})
				if i%50 == 0 {
					r.List()
					r.Disconnect(conn, i, false)
					conn = &Conn{}
					r.Sweep(time.Unix(0, 0))
				}
			}
			r.Disconnect(conn, 200, false)
		})
	}
	wg.Wait()
	assert.LessOrEqual(t, r.Len(), 64)
	assert.EqualValues(t, r.Len(), *size)
	r.Clear()
	assert.Empty(t, r.byHash)
	assert.Empty(t, r.byKey)
	assert.Empty(t, r.byName)
}
