package core

import (
	"fmt"
	"slices"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// LimitError says that a limit of the configuration refused something.
type LimitError struct {
	Limit string
	Value int
	What  string
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("%s is %d and reached: %s", e.Limit, e.Value, e.What)
}

// lifeFor finds the life that a resource with data speaks of, or makes it.
func (t *Table) lifeFor(bl *block, now Instant) (*life, error) {
	if id, ok := t.identities[bl.who.names[0]]; ok {
		if l := t.among(id, bl); l != nil {
			return l, nil
		}
	} else if l := t.renamed(bl); l != nil {
		return l, nil
	}
	return t.newLife(bl.who, bl.res.Resource().Attributes(), bl.res.SchemaUrl(), now)
}

// mostCompared is how many lives of an identity, the latest, are looked at for one
// that learns life attributes, or a better name: those come in its first pushes.
const mostCompared = 100

func (id *identity) latest() []*life {
	return id.lives[max(0, len(id.lives)-mostCompared):]
}

// among finds the life of an identity with these life attributes. A life that
// names fewer or more of them is the same if its runs say so.
func (t *Table) among(id *identity, bl *block) *life {
	if l, ok := t.lives[id.keys[0].plus(bl.who.life)]; ok {
		return l
	}
	for _, l := range id.latest() {
		if t.continues(l, bl) {
			l.learn(t, bl.who)
			return l
		}
	}
	return nil
}

// renamed finds the living life that an unknown worker was before an attribute
// of a better candidate arrived: the same by a lesser candidate, with the same
// run starts and no life attribute that differs.
func (t *Table) renamed(bl *block) *life {
	for _, name := range bl.who.names[1:] {
		id, ok := t.identities[name]
		if !ok {
			continue
		}
		for _, l := range id.latest() {
			if l.alive() && t.continues(l, bl) {
				for _, sibling := range id.lives {
					t.save(sibling)
				}
				id.keys = append(id.keys, bl.who.names[0])
				t.identities[bl.who.names[0]] = id
				t.call(id, nameOf(t.opt, bl.res.Resource().Attributes()))
				l.learn(t, bl.who)
				return l
			}
		}
	}
	return nil
}

// continues reports whether a life may be the one that a block with fewer or
// more life attributes speaks of. It is not if the life would then have the
// name of another one.
func (t *Table) continues(l *life, bl *block) bool {
	if !agree(l.marks, bl.who.marks) || !t.sameStarts(l, bl.points) {
		return false
	}
	other, taken := t.lives[l.identity.keys[0].plus(t.hash.marks(joined(l.marks, bl.who.marks)))]
	return !taken || other == l
}

// sameStarts reports whether the points continue runs of the life: at least one
// stream is known with its start, and none that is known has another.
func (t *Table) sameStarts(l *life, points []point) bool {
	same := false
	for i := range points {
		at, ok := l.find(points[i].key)
		if !ok || at < 0 || points[i].start == 0 {
			continue
		}
		if !slices.ContainsFunc(slices.Collect(l.streams[at].starts), func(s int64) bool { return s == points[i].start }) {
			return false
		}
		same = true
	}
	return same
}

func (s *stream) starts(yield func(int64) bool) {
	for r := range s.runs {
		if !yield(r.start) {
			return
		}
	}
}

// learn adds life attributes that arrived late.
func (l *life) learn(t *Table, w who) {
	t.save(l)
	delete(t.lives, l.key())
	l.marks = joined(l.marks, w.marks)
	l.markKey = t.hash.marks(l.marks)
	t.lives[l.key()] = l
}

func (t *Table) newLife(w who, resource pcommon.Map, schemaURL string, now Instant) (*life, error) {
	if len(t.living) >= t.opt.MaxWorkers {
		return nil, &LimitError{Limit: "max_workers", Value: t.opt.MaxWorkers, What: fmt.Sprintf("worker %q is refused", nameOf(t.opt, resource))}
	}
	id, ok := t.identities[w.names[0]]
	if !ok {
		id = &identity{keys: slices.Clone(w.names[:1]), group: t.sharedGroup(w.group, resource)}
		id.group.users++
		t.call(id, nameOf(t.opt, resource))
		t.identities[w.names[0]] = id
	}
	t.lifeIDs++
	l := &life{
		identity: id, id: t.lifeIDs, marks: slices.Clone(w.marks), markKey: w.life, place: -1,
		resource: pcommon.NewMap(), schemaURL: schemaURL,
		born: now.Mono, seen: now.Mono, swept: now.Mono,
	}
	resource.CopyTo(l.resource)
	t.nameInstance(l)
	id.lives = append(id.lives, l)
	t.lives[l.key()] = l
	l.slot = t.lifeSlots.put(l)
	t.save(l)
	t.enliven(l)
	return l, nil
}

// enliven puts a life among the living.
func (t *Table) enliven(l *life) {
	l.place = len(t.living)
	t.living = append(t.living, l)
	l.identity.living++
	t.reshare(l.identity)
	t.become(l, lifecycle.Running)
}

// become changes a life's state.
func (t *Table) become(l *life, s lifecycle.State) {
	if l.state == lifecycle.Quiet {
		t.stats.Quiet--
	}
	if l.state = s; s == lifecycle.Quiet {
		t.stats.Quiet++
	}
}

func (t *Table) unlive(l *life) {
	last := len(t.living) - 1
	t.living[l.place] = t.living[last]
	t.living[l.place].place = l.place
	t.living[last] = nil
	t.living = t.living[:last]
	l.place = -1
	l.identity.living--
	t.reshare(l.identity)
}

// others of the identity that live.
func (l *life) livingSiblings() []*life {
	var siblings []*life
	for _, o := range l.identity.lives {
		if o != l && o.alive() {
			siblings = append(siblings, o)
		}
	}
	return siblings
}

// bury removes a life of which nothing more needs to be known.
func (t *Table) bury(l *life) {
	id := l.identity
	delete(t.lives, l.key())
	delete(t.instances, t.instanceKey(l))
	// Mostly the oldest goes first.
	if at := slices.Index(id.lives, l); at > 0 {
		id.lives = slices.Delete(id.lives, at, at+1)
	} else {
		id.lives[0] = nil
		id.lives = id.lives[1:]
	}
	if len(id.lives) > 0 {
		return
	}
	t.uncall(id)
	for _, k := range id.keys {
		delete(t.identities, k)
	}
	t.quit(id.group)
}
