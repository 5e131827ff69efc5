package registry

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

func over(c *Conn, n int64) Sighting { return Sighting{Now: second(n), Conn: c} }

// disconnect closes a connection and returns whom that loses.
func disconnect(r *Registry, c *Conn, n int64) []*Worker {
	var lost []*Worker
	r.events.Lost = func(workers []*Worker, _ int64) { lost = append(lost, workers...) }
	r.Disconnect(c, second(n), false)
	return lost
}

func TestAWorkerIsLostWithItsLastConnection(t *testing.T) {
	r, _ := newRegistry(10)
	res := resource(t, attrs{"worker.id": "w"})
	a, b := &Conn{}, &Conn{}
	w := r.Observe(res, over(a, 1))
	r.Observe(res, over(b, 2))
	r.Observe(res, over(a, 3))
	assert.Equal(t, 2, r.List()[0].Connections)

	assert.Empty(t, disconnect(r, a, 4))
	assert.Equal(t, []*Worker{w}, disconnect(r, b, 5))
	assert.True(t, r.Lost(w, second(5)))
	assert.False(t, r.Lost(w, second(4)))
	assert.Zero(t, r.List()[0].Connections)
}

func TestAConnectionMayCarrySeveralWorkers(t *testing.T) {
	r, _ := newRegistry(10)
	shared, own := &Conn{}, &Conn{}
	a := r.Observe(resource(t, attrs{"worker.id": "a"}), over(shared, 1))
	b := r.Observe(resource(t, attrs{"worker.id": "b"}), over(shared, 1))
	c := r.Observe(resource(t, attrs{"worker.id": "c"}), over(shared, 1))
	d := r.Observe(resource(t, attrs{"worker.id": "d"}), over(shared, 1))
	r.Observe(resource(t, attrs{"worker.id": "c"}), over(own, 2))
	r.Applied(d, died(lifecycle.ReasonGoodbye), "header")
	assert.ElementsMatch(t, []*Worker{a, b}, disconnect(r, shared, 3), "c has another one, d has said goodbye")
	assert.Equal(t, []*Worker{c}, disconnect(r, own, 4))
}

func TestAConnectionThatTheServerClosedLosesNobody(t *testing.T) {
	r, _ := newRegistry(10)
	conn := &Conn{}
	w := r.Observe(resource(t, attrs{"worker.id": "w"}), over(conn, 1))
	r.events.Lost = func([]*Worker, int64) { t.Error("nobody is lost") }
	r.Disconnect(conn, second(2), true)
	r.Observe(resource(t, attrs{"worker.id": "w"}), over(conn, 3))
	assert.False(t, r.Lost(w, second(2)))
	assert.Zero(t, r.List()[0].Connections)
}

func TestAnySignOfLifeEndsTheSearch(t *testing.T) {
	for name, sign := range map[string]Sighting{
		"new connection": over(&Conn{}, 3),
		"http":           push(3),
	} {
		r, _ := newRegistry(10)
		res := resource(t, attrs{"worker.id": "w"})
		conn := &Conn{}
		w := r.Observe(res, over(conn, 1))
		disconnect(r, conn, 2)
		r.Observe(res, sign)
		assert.False(t, r.Lost(w, second(2)), name)
	}
}

func TestAPushThatOutlivesItsConnectionIsNoSignOfLife(t *testing.T) {
	r, _ := newRegistry(10)
	res := resource(t, attrs{"worker.id": "w"})
	conn := &Conn{}
	w := r.Observe(res, over(conn, 1))
	disconnect(r, conn, 2)
	r.Observe(res, over(conn, 3))
	assert.True(t, r.Lost(w, second(2)))
	assert.Zero(t, r.List()[0].Connections)
}

func TestWhoseOnlyPushOutlivesItsConnectionIsLost(t *testing.T) {
	r, _ := newRegistry(10)
	conn := &Conn{}
	assert.Empty(t, disconnect(r, conn, 2))
	var lost []*Worker
	r.events.Lost = func(workers []*Worker, since int64) {
		assert.Equal(t, second(3), since)
		lost = append(lost, workers...)
	}
	w := r.Observe(resource(t, attrs{"worker.id": "w"}), over(conn, 3))
	assert.Equal(t, []*Worker{w}, lost)
	assert.True(t, r.Lost(w, second(3)))
	r.Observe(resource(t, attrs{"worker.id": "w", "n": 2}), over(conn, 4))
	assert.Len(t, lost, 1, "once")
}

func TestWhoSaidGoodbyeOrIsForgottenIsNotLost(t *testing.T) {
	r, _ := newRegistry(10)
	conn := &Conn{}
	w := r.Observe(resource(t, attrs{"worker.id": "w"}), over(conn, 1))
	disconnect(r, conn, 2)
	r.Applied(w, died(lifecycle.ReasonGoodbye), "header")
	assert.False(t, r.Lost(w, second(2)))

	conn = &Conn{}
	w = r.Observe(resource(t, attrs{"worker.id": "v"}), over(conn, 1))
	r.Clear()
	assert.Empty(t, disconnect(r, conn, 2))
	assert.False(t, r.Lost(w, second(2)))
}
