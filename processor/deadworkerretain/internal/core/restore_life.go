package core

import (
	"errors"
	"fmt"
	"slices"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

var errNoSeries = errors.New("a level or a retained series is missing")

// restoreLife makes a life of its record, without adding to any series. It has
// no slot yet, and if it is dead no grave.
func (t *Table) restoreLife(rec *lifeRecord, now Instant) (*life, error) {
	if len(rec.marks) != len(t.opt.Life) {
		return nil, fmt.Errorf("life has %d life attributes, expected %d", len(rec.marks), len(t.opt.Life))
	}
	l := &life{
		id: rec.id, version: rec.version, place: -1, state: lifecycle.Terminated,
		resource: rec.resource, schemaURL: rec.schemaURL, instance: rec.instance,
		// A life that comes from a state is a known one: its first collection is over.
		born: now.Mono - int64(mostStale), eventful: true,
	}
	id, ok := t.identities[rec.keys[0]]
	if !ok {
		g, known := t.groups[rec.group]
		if !known {
			g = t.sharedGroup(rec.group, rec.resource)
		}
		id = &identity{group: g}
		g.users++
	}
	l.identity = id
	t.instances[t.instanceKey(l)] = struct{}{}
	id.lives = append(id.lives, l)
	t.rename(l, rec)
	t.settle(l, rec, now)
	return l, t.fill(l, rec, now)
}

// rename gives a life and its identity the names of a record.
func (t *Table) rename(l *life, rec *lifeRecord) {
	id := l.identity
	for _, k := range rec.keys {
		if t.identities[k] != id {
			id.keys = append(id.keys, k)
			t.identities[k] = id
		}
	}
	if id.name == "" || len(rec.keys) >= len(id.keys) {
		t.call(id, rec.name)
	}
	if t.lives[l.key()] == l {
		delete(t.lives, l.key())
	}
	l.marks, l.markKey = rec.marks, t.hash.marks(rec.marks)
	t.lives[l.key()] = l
}

// settle makes a life live or dead. The dead are kept for as long as the freshly
// dead: ages count from the restore.
func (t *Table) settle(l *life, rec *lifeRecord, now Instant) {
	l.last, l.seen, l.swept = rec.last, now.Mono, now.Mono
	switch {
	case rec.alive && !l.alive():
		t.enliven(l)
	case !rec.alive && l.alive():
		t.become(l, lifecycle.Terminated)
		t.unlive(l)
	}
	l.death = death{}
	if rec.alive {
		t.become(l, rec.state)
		return
	}
	keep := t.opt.AfterStaleness
	if rec.reason == Goodbye {
		keep = t.opt.AfterGoodbye
	}
	l.death = death{reason: rec.reason, at: now.Mono, serial: rec.death, until: now.Mono + int64(keep)}
}

// fill puts back the streams and levels of a record.
func (t *Table) fill(l *life, rec *lifeRecord, now Instant) error {
	l.index = index{}
	l.streams = make([]stream, 0, len(rec.streams))
	l.levels = nil
	for i := range rec.streams {
		if err := t.restoreStream(l, &rec.streams[i], now); err != nil {
			return err
		}
	}
	for i := range rec.levels {
		if err := t.restoreLevel(l, &rec.levels[i]); err != nil {
			return err
		}
	}
	return nil
}

// bury puts the dead into their graves in the order of their deaths, and the
// lives of each identity into the order of their births.
func (r *restore) bury() {
	var dead []*life
	for _, l := range r.known {
		if !l.alive() {
			dead = append(dead, l)
		}
		r.t.deaths = max(r.t.deaths, l.death.serial)
	}
	slices.SortFunc(dead, func(a, b *life) int { return cmp(a.death.serial, b.death.serial) })
	for _, l := range dead {
		r.t.graves.add(l)
	}
	for _, id := range r.t.identities {
		slices.SortFunc(id.lives, func(a, b *life) int { return cmp(a.id, b.id) })
	}
}
