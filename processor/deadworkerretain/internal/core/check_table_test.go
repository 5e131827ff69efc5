package core

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// difference is the lines that two dumps do not share.
func difference(want, got string) string {
	wants, gots := strings.Split(want, "\n"), strings.Split(got, "\n")
	var b strings.Builder
	for _, l := range wants {
		if !slices.Contains(gots, l) {
			fmt.Fprintln(&b, "-", l)
		}
	}
	for _, l := range gots {
		if !slices.Contains(wants, l) {
			fmt.Fprintln(&b, "+", l)
		}
	}
	return b.String()
}

// check looks whether a table agrees with itself: what is counted or indexed in
// two places must be the same in both.
func (t *Table) check() error {
	c := &checking{t: t, feeders: map[*series]int{}, children: map[*series]int{}, members: map[*series]int{}, families: map[*family]int{},
		living: map[*series]map[*layout]int{}, users: map[*layout]int{}}
	for slot, l := range t.lifeSlots.all {
		if l != nil {
			c.is(int(l.slot) == slot, "life %d stands in slot %d and says %d", l.id, slot, l.slot)
			c.life(l)
		}
	}
	for _, s := range t.series {
		if s.parent != nil {
			c.children[s.parent]++
			c.is(!s.parent.gone, "series %s has a parent that has gone", s.key)
		}
	}
	for slot, s := range t.slots.all {
		if s == nil {
			continue
		}
		c.is(int(s.slot) == slot, "series %s stands in slot %d and says %d", s.key, slot, s.slot)
		c.is(t.series[s.key] == s, "series %s is not to be found", s.key)
		c.series(s)
	}
	for slot, f := range t.familySlots.all {
		if f == nil {
			continue
		}
		c.is(int(f.slot) == slot && t.families[f.key] == f, "family %s is not to be found", f.name)
		c.is(f.series == c.families[f], "family %s has %d series and says %d", f.name, c.families[f], f.series)
		for _, l := range f.layouts {
			c.is(c.users[l] == l.users, "layout %v of %s in {%s} has %d users and says %d", l.bounds, f.name, text(f.group.attrs), c.users[l], l.users)
		}
	}
	c.counts()
	c.groups()
	return errors.Join(c.errs...)
}

type checking struct {
	t        *Table
	errs     []error
	streams  int
	feeders  map[*series]int
	children map[*series]int
	members  map[*series]int
	families map[*family]int
	living   map[*series]map[*layout]int
	users    map[*layout]int
}

func (c *checking) is(ok bool, format string, args ...any) {
	if !ok {
		c.errs = append(c.errs, fmt.Errorf(format, args...))
	}
}

func (c *checking) life(l *life) {
	c.is(c.t.lives[l.key()] == l, "life %d is not to be found", l.id)
	c.is(slices.Contains(l.identity.lives, l), "life %d is none of its identity's", l.id)
	c.is(!l.alive() || c.t.living[l.place] == l, "life %d is not among the living", l.id)
	c.is(l.index.n == len(l.streams)+len(l.levels), "life %d has %d streams, %d levels, but an index of %d", l.id, len(l.streams), len(l.levels), l.index.n)
	c.is(l.alive() || len(l.levels) == 0, "life %d is dead and has levels", l.id)
	multiple := 0
	for i := range l.streams {
		s := &l.streams[i]
		at, ok := l.find(s.key)
		c.is(ok && at == int32(i), "stream %s of life %d is not to be found", s.key, l.id)
		if s.lit() > 1 {
			multiple++
		}
		if l.alive() {
			c.streams++
			c.feeders[s.series]++
		}
		c.runs(l, s)
	}
	c.is(multiple == l.multiple, "life %d has %d streams with several runs and says %d", l.id, multiple, l.multiple)
	for i, lv := range l.levels {
		c.streams++
		c.members[lv.series]++
		at, ok := l.find(lv.key)
		c.is(ok && at == ^int32(i), "level %s of life %d is not to be found", lv.key, l.id)
		c.is(lv.place < len(lv.series.members) && lv.series.members[lv.place] == lv, "level %s is no member of its series", lv.key)
	}
}

func (c *checking) runs(l *life, s *stream) {
	for r := range s.runs {
		c.is(l.alive() || !r.is(runLit), "life %d is dead and has a living run", l.id)
		if r.dist == nil || r.dist.layout == nil {
			continue
		}
		c.users[r.dist.layout]++
		if r.is(runLit) {
			if c.living[s.series] == nil {
				c.living[s.series] = map[*layout]int{}
			}
			c.living[s.series][r.dist.layout]++
		}
	}
}

func (c *checking) series(s *series) {
	c.families[s.family]++
	c.is(c.t.families[s.family.key] == s.family, "series %s has a family that has gone", s.key)
	c.is(s.feeders == c.feeders[s], "series %s has %d feeders and says %d", s.key, c.feeders[s], s.feeders)
	c.is(s.children == c.children[s], "series %s has %d children and says %d", s.key, c.children[s], s.children)
	c.is(len(s.members) == c.members[s], "series %s has %d members and says %d", s.key, c.members[s], len(s.members))
	if s.dist == nil {
		return
	}
	c.is(len(s.dist.living) == len(c.living[s]), "series %s has %d living layouts and says %d", s.key, len(c.living[s]), len(s.dist.living))
	for _, l := range s.dist.living {
		c.is(c.living[s][l.layout] == l.runs, "layout %v of series %s has %d living runs and says %d", l.layout.bounds, s.key, c.living[s][l.layout], l.runs)
	}
}

func (c *checking) counts() {
	t := c.t
	c.is(c.streams == t.stats.Streams, "there are %d living streams, counted are %d", c.streams, t.stats.Streams)
	dead, shared := 0, 0
	for _, l := range t.lifeSlots.all {
		if l != nil && !l.alive() {
			dead++
		}
	}
	c.is(dead == t.graves.n, "there are %d tombstones, counted are %d", dead, t.graves.n)
	for _, id := range identitiesOf(t) {
		living, multiple := 0, 0
		for _, l := range id.lives {
			if l.alive() {
				living++
				if l.multiple > 0 {
					multiple++
				}
			}
		}
		c.is(living == id.living, "identity %q has %d living lives and says %d", id.name, living, id.living)
		c.is(multiple == id.multiple, "identity %q has %d lives with several runs and says %d", id.name, multiple, id.multiple)
		if id.shared {
			shared++
		}
	}
	c.is(shared == t.stats.SharedIdentities, "there are %d shared identities, counted are %d", shared, t.stats.SharedIdentities)
}

// groups looks whether every group is used, and says how often.
func (c *checking) groups() {
	users := map[*group]int{}
	for _, f := range c.t.families {
		users[f.group]++
	}
	for _, id := range identitiesOf(c.t) {
		users[id.group]++
	}
	for _, g := range c.t.groups {
		c.is(g.users > 0 && g.users == users[g], "group %s has %d users and says %d", g.key, users[g], g.users)
	}
}
