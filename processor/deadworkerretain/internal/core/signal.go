package core

import (
	"fmt"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// signal applies a lifecycle signal to the life it speaks of. withData is the
// life whose data came in the same resource, or nil.
//
// A signal changes no life but the one it names. One that names none means the
// runs it came with, or else the only living life of its identity.
func (a *applying) signal(bl *block, withData *life, s lifecycle.Signal) error {
	if withData != nil {
		return a.signalWithData(bl, withData, s)
	}
	id, err := a.identityOf(bl)
	if err != nil {
		return err
	}
	if id == nil {
		return a.announce(bl, s)
	}
	l, err := a.named(id, bl)
	switch {
	case err != nil:
		return err
	case l == nil:
		return a.announce(bl, s)
	}
	return a.signalLife(l, s)
}

func (a *applying) signalWithData(bl *block, l *life, s lifecycle.Signal) error {
	if s.State == lifecycle.Terminated && l.alive() && l.multiple > 0 && !anyMark(bl.who.marks) {
		a.t.foldRuns(l, bl.points, a.now)
		a.commit(l)
		return nil
	}
	return a.signalLife(l, s)
}

// named is the life that a signal without data means; nil if it is unknown.
func (a *applying) named(id *identity, bl *block) (*life, error) {
	if anyMark(bl.who.marks) {
		var best *life
		if l, ok := a.t.lives[id.keys[0].plus(bl.who.life)]; ok {
			return l, nil
		}
		for _, l := range id.lives {
			if within(bl.who.marks, l.marks) && (best == nil || !best.alive() && l.alive()) {
				best = l
			}
		}
		return best, nil
	}
	var living []*life
	for _, l := range id.lives {
		if l.alive() {
			living = append(living, l)
		}
	}
	switch {
	case len(living) == 1 && living[0].multiple == 0:
		return living[0], nil
	case len(living) == 0 && len(id.lives) > 0:
		return id.lives[len(id.lives)-1], nil
	}
	return nil, &lifecycle.FencedError{Worker: id.name, Living: names(living, a.t.opt)}
}

// announce makes a life known that has no data yet. A goodbye of the unknown
// changes nothing and is acknowledged.
func (a *applying) announce(bl *block, s lifecycle.Signal) error {
	if s.State == lifecycle.Terminated || bl.who.anonymous {
		return nil
	}
	l, err := a.t.newLife(bl.who, bl.res.Resource().Attributes(), bl.res.SchemaUrl(), a.now)
	if err != nil {
		return err
	}
	a.t.become(l, s.State)
	return nil
}

func (a *applying) signalLife(l *life, s lifecycle.Signal) error {
	if s.State == lifecycle.Terminated {
		if l.alive() {
			a.t.fold(l, reasonOf(s), a.now)
		}
		a.commit(l)
		return nil
	}
	if l.alive() {
		a.t.save(l)
		l.seen = a.now.Mono
		a.t.become(l, max(l.state, s.State))
		return nil
	}
	if living := l.livingSiblings(); len(living) > 0 {
		return &lifecycle.FencedError{
			Worker: l.identity.name, Life: marksText(a.t.opt, l.marks), Living: names(living, a.t.opt),
		}
	}
	if l.death.reason.said() {
		return nil
	}
	a.t.save(l)
	a.t.revive(l, a.now)
	if l.alive() {
		a.t.returned(l)
		a.t.become(l, s.State)
		l.seen, l.death = a.now.Mono, death{}
	}
	return nil
}

func anyMark(marks []string) bool {
	for _, m := range marks {
		if m != "" {
			return true
		}
	}
	return false
}

// mostNamed is how many lives an error names.
const mostNamed = 20

func names(lives []*life, o *Options) []string {
	var texts []string
	for i, l := range lives {
		if i == mostNamed {
			return append(texts, fmt.Sprintf("and %d more", len(lives)-i))
		}
		texts = append(texts, l.name(o))
	}
	return texts
}
