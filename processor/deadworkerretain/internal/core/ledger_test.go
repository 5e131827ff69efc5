package core

import (
	"fmt"
	"maps"
	"math"
	"strings"
)

// amount is what a series has counted: the value of a sum, or the count and sum
// of everything else; but for histograms, whose workers may send no sum.
type amount struct {
	value float64
	count uint64
}

func (a amount) plus(b amount) amount  { return amount{a.value + b.value, a.count + b.count} }
func (a amount) minus(b amount) amount { return amount{a.value - b.value, a.count - b.count} }

// near allows for what adding up doubles in another order may do.
func (a amount) near(b amount) bool {
	return a.count == b.count && math.Abs(a.value-b.value) <= 1e-9*math.Max(1, math.Abs(a.value))
}

// amounts are what all series of a table have counted, each with those of the
// lives that are folded into it.
type amounts map[Key]amount

func (t *Table) amounts() amounts {
	all := amounts{}
	for _, s := range t.series {
		if s.family.kind.instantaneous() {
			continue
		}
		key := s.key
		if s.parent != nil {
			key = s.parent.key
		}
		a := amount{value: s.num.number().asFloat()}
		if s.dist != nil {
			a = amount{count: s.dist.count}
		}
		if s.dist != nil && s.family.kind != kindHistogram {
			a.value = s.dist.sum.hi
		}
		all[key] = all[key].plus(a)
	}
	return all
}

func (a amounts) minus(b amounts) amounts {
	d := amounts{}
	for key := range union2(a, b) {
		if !a[key].near(b[key]) {
			d[key] = a[key].minus(b[key])
		}
	}
	return d
}

func (a amounts) plus(b amounts) amounts {
	s := amounts{}
	maps.Copy(s, a)
	for key, x := range b {
		s[key] = s[key].plus(x)
	}
	return s
}

func (a amounts) differsFrom(b amounts) error {
	for key := range union2(a, b) {
		if !a[key].near(b[key]) {
			return fmt.Errorf("series %s is %v, expected %v", key, b[key], a[key])
		}
	}
	return nil
}

func union2(a, b amounts) map[Key]bool {
	keys := map[Key]bool{}
	for k := range a {
		keys[k] = true
	}
	for k := range b {
		keys[k] = true
	}
	return keys
}

// account is what one life has added to each series, and how the life stands.
type account struct {
	added amounts
	name  Key
	dead  bool
	text  string
}

func (t *Table) accountOf(l *life, added amounts) account {
	d := &dumper{t: t}
	d.life(0, l)
	return account{added: added, name: l.key(), dead: !l.alive(), text: strings.Join(d.lines, "\n")}
}

// ledger holds the accounts of all lives by their ids. It knows of the table
// only what came out after each push.
type ledger map[uint64]account

// lifeOfBlock finds the life that a request with one resource was applied to.
func (t *Table) lifeOfBlock(bl *block) *life {
	for _, name := range bl.who.names {
		id, ok := t.identities[name]
		if !ok {
			continue
		}
		if l, ok := t.lives[id.keys[0].plus(bl.who.life)]; ok {
			return l
		}
		for _, l := range id.lives {
			if agree(l.marks, bl.who.marks) {
				return l
			}
		}
	}
	return nil
}

func (t *Table) byID(id uint64) *life {
	for _, l := range t.lifeSlots.all {
		if l != nil && l.id == id {
			return l
		}
	}
	return nil
}
