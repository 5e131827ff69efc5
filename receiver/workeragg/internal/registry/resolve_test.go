package registry

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

func TestResolveByAnyCandidate(t *testing.T) {
	r, _ := newRegistry(10)
	w := r.Observe(resource(t, attrs{"worker.id": "w", "service.instance.id": "i", "host.name": "h/x", "process.pid": 7,
		"k8s.pod.uid": "p", "container.id": "c", "faas.instance": "f", "color": "red"}), push(1))
	r.Alias(w, "slot-3")
	for _, name := range []string{"w", "i", "h%2Fx/7", "p", "c", "f", "slot-3"} {
		to, known, err := r.Resolve(Query{Name: name})
		require.NoError(t, err)
		require.True(t, known, name)
		assert.Same(t, w, to.Life)
		assert.Equal(t, attrs{"worker.id": "w", "service.instance.id": "i", "host.name": "h/x",
			"k8s.pod.uid": "p", "container.id": "c", "faas.instance": "f", "color": "red"}, to.Resource.Attributes().AsRaw(),
			"its last resource, without the life that the query did not name")
	}
	for _, name := range []string{"", "h", "7", "web", "W"} {
		_, known, err := r.Resolve(Query{Name: name})
		require.NoError(t, err)
		assert.False(t, known, name)
	}
}

func TestANewAliasReplacesTheOldOne(t *testing.T) {
	r, _ := newRegistry(10)
	w := r.Observe(resource(t, attrs{"worker.id": "w"}), push(1))
	r.Alias(w, "one")
	r.Alias(w, "two")
	r.Alias(w, "w")
	_, known, _ := r.Resolve(Query{Name: "one"})
	assert.False(t, known)
	_, known, _ = r.Resolve(Query{Name: "two"})
	assert.True(t, known)

	same := r.Observe(resource(t, attrs{"worker.id": "w", "container.id": "two"}), push(2))
	require.Same(t, w, same)
	r.Alias(w, "three")
	_, known, _ = r.Resolve(Query{Name: "two"})
	assert.True(t, known, "now a name of its own, which a new alias does not take away")
}

func TestASignalNamesOneLifeOrLeavesItToTheProcessor(t *testing.T) {
	r, _ := newRegistry(10)
	old := r.Observe(resource(t, attrs{"worker.id": "w", "process.pid": 1, "process.creation.time": "t1", "worker.incarnation": "1"}), push(1))
	young := r.Observe(resource(t, attrs{"worker.id": "w", "process.pid": 2, "process.creation.time": "t2", "worker.incarnation": "2"}), push(2))

	for _, test := range []struct {
		query Query
		life  *Worker
		want  attrs
	}{
		{Query{}, nil, attrs{"worker.id": "w"}},
		{Query{Incarnation: "1"}, old, attrs{"worker.id": "w", "worker.incarnation": "1"}},
		{Query{PID: 2}, young, attrs{"worker.id": "w", "process.pid": int64(2)}},
		{Query{PID: 2, Incarnation: "1"}, nil, attrs{"worker.id": "w", "process.pid": int64(2), "worker.incarnation": "1"}},
		{Query{Incarnation: "3"}, nil, attrs{"worker.id": "w", "worker.incarnation": "3"}},
	} {
		test.query.Name = "w"
		to, known, err := r.Resolve(test.query)
		require.NoError(t, err)
		assert.True(t, known)
		assert.Same(t, test.life, to.Life, test.query)
		assert.Equal(t, test.want, to.Resource.Attributes().AsRaw())
	}

	r.Applied(old, died(lifecycle.ReasonGoodbye), "http")
	to, _, err := r.Resolve(Query{Name: "w"})
	require.NoError(t, err)
	assert.Same(t, young, to.Life, "the only one that lives")
	r.Applied(young, died(lifecycle.ReasonGoodbye), "http")
	to, _, err = r.Resolve(Query{Name: "w"})
	require.NoError(t, err)
	assert.Nil(t, to.Life)
}

func TestAPIDThatIsPartOfTheNameStays(t *testing.T) {
	r, _ := newRegistry(10)
	w := r.Observe(resource(t, attrs{"host.name": "h", "process.pid": 7, "process.creation.time": "t"}), push(1))
	for _, pid := range []int64{0, 7} {
		to, known, err := r.Resolve(Query{Name: "h/7", PID: pid})
		require.NoError(t, err)
		require.True(t, known)
		assert.Same(t, w, to.Life)
		assert.Equal(t, attrs{"host.name": "h", "process.pid": int64(7)}, to.Resource.Attributes().AsRaw())
	}
	_, known, err := r.Resolve(Query{Name: "h/7", PID: 8})
	require.NoError(t, err)
	assert.False(t, known, "not to be renamed to h/8")
}

func TestWhoIsNamedByAnIDComesBeforeWhoMerelyHasIt(t *testing.T) {
	r, _ := newRegistry(10)
	named := r.Observe(resource(t, attrs{"worker.id": "x"}), push(1))
	r.Observe(resource(t, attrs{"worker.id": "y", "container.id": "x"}), push(2))
	aliased := r.Observe(resource(t, attrs{"worker.id": "z"}), push(3))
	r.Alias(aliased, "x")
	to, _, err := r.Resolve(Query{Name: "x"})
	require.NoError(t, err)
	assert.Same(t, named, to.Life)
}

func TestSeveralWorkersUnderOneNameAreRefusedUnlessMoreIsSaid(t *testing.T) {
	r, _ := newRegistry(10)
	web := r.Observe(resource(t, attrs{"service.instance.id": "a", "container.id": "c", "service.name": "web", "process.pid": 1}), push(1))
	batch := r.Observe(resource(t, attrs{"service.instance.id": "b", "container.id": "c", "service.name": "batch", "process.pid": 2}), push(2))

	_, _, err := r.Resolve(Query{Name: "c"})
	var ambiguous *AmbiguousError
	require.ErrorAs(t, err, &ambiguous)
	assert.Equal(t, []string{`"a" of "web"`, `"b" of "batch"`}, ambiguous.Workers)
	assert.ErrorContains(t, err, `2 workers answer to "c" ("a" of "web", "b" of "batch"): name one`)

	for life, query := range map[*Worker]Query{
		web:   {Name: "c", Resource: hints(t, attrs{"service.name": "web"})},
		batch: {Name: "c", PID: 2},
	} {
		to, _, err := r.Resolve(query)
		require.NoError(t, err)
		assert.Same(t, life, to.Life)
	}
	_, known, err := r.Resolve(Query{Name: "c", Resource: hints(t, attrs{"service.instance.id": "z"})})
	require.NoError(t, err)
	assert.False(t, known, "neither is meant")

	r.Applied(web, died(lifecycle.ReasonGoodbye), "http")
	to, _, err := r.Resolve(Query{Name: "c"})
	require.NoError(t, err)
	assert.Same(t, batch, to.Life, "the only one that lives")
}

func TestTheErrorOfManyWorkersStaysShort(t *testing.T) {
	r, _ := newRegistry(5000)
	for i := range int64(3000) {
		r.Observe(resource(t, attrs{"worker.id": fmt.Sprintf("%04d", i), "container.id": "c"}), push(i))
	}
	_, _, err := r.Resolve(Query{Name: "c"})
	assert.ErrorContains(t, err, `3000 workers answer to "c" ("0000", "0001"`)
	assert.ErrorContains(t, err, "and 2990 more")
	assert.Less(t, len(err.Error()), 400)
}

// Case 21: the name by host and pid is followed by a better one.
func TestALateNameSupersedesTheEarlierOne(t *testing.T) {
	r, _ := newRegistry(10)
	r.Observe(resource(t, attrs{"host.name": "h", "process.pid": 7}), push(1))
	late := r.Observe(resource(t, attrs{"host.name": "h", "process.pid": 7, "service.instance.id": "x"}), push(2))
	to, _, err := r.Resolve(Query{Name: "h/7"})
	require.NoError(t, err)
	assert.Same(t, late, to.Life)
}

func TestDataReplacesWhatAnAnnouncementLeft(t *testing.T) {
	r, size := newRegistry(10)
	r.Observe(resource(t, attrs{"worker.id": "x", "worker.incarnation": "1"}), Sighting{Now: second(1), Announced: true})
	other := r.Observe(resource(t, attrs{"worker.id": "x", "worker.incarnation": "2"}), Sighting{Now: second(1), Announced: true})
	data := r.Observe(resource(t, attrs{"service.instance.id": "x", "service.name": "web", "worker.incarnation": "1"}), push(2))
	assert.EqualValues(t, 2, *size, "the announcement of the other life stays")
	to, _, err := r.Resolve(Query{Name: "x"})
	require.NoError(t, err)
	assert.Same(t, data, to.Life)
	assert.NotSame(t, other, to.Life)
}

// The alias is of one life only, but the worker has two.
func TestANameOfOneLifeDoesNotHideTheOthers(t *testing.T) {
	r, _ := newRegistry(10)
	one := r.Observe(resource(t, attrs{"worker.id": "w", "process.pid": 1}), push(1))
	two := r.Observe(resource(t, attrs{"worker.id": "w", "process.pid": 2}), push(2))
	r.Alias(one, "slot")
	to, _, err := r.Resolve(Query{Name: "slot"})
	require.NoError(t, err)
	assert.Nil(t, to.Life, "two live")
	to, _, err = r.Resolve(Query{Name: "slot", PID: 2})
	require.NoError(t, err)
	assert.Same(t, two, to.Life)
}
