package core

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// dump describes all of a table that a restart must not change, a line for each
// thing, in an order of its own. What is not in it may be forgotten: exemplars
// and endings on their way out, dips, gaps between pushes, the times of silence
// and death, which count from the restore.
//
// With emitted, it is what the table will be once the cut that was just begun
// has been emitted.
func (t *Table) dump(emitted bool) string {
	d := &dumper{t: t, emitted: emitted}
	d.line("meta epoch=%d flush=%d gone=%d/%d watermark=%d ids=%d closed=%d",
		t.epoch, t.lastFlush, t.seriesGone, t.levelsGone, t.closed.watermark, t.lifeIDs, t.closed.lastID)
	for _, s := range t.closed.spans {
		d.line("closed %03d newest=%d %x", s.id, s.newest, slices.Sorted(maps.Keys(s.runs)))
	}
	for slot, f := range t.familySlots.all {
		if f != nil {
			d.family(slot, f)
		}
	}
	for slot, s := range t.slots.all {
		if s != nil {
			d.series(slot, s)
		}
	}
	for slot, l := range t.lifeSlots.all {
		if l != nil {
			d.life(slot, l)
		}
	}
	for _, id := range identitiesOf(t) {
		d.identity(id)
	}
	d.line("stats lives=%d quiet=%d dead=%d streams=%d series=%d shared=%d overflows=%d",
		len(t.living), t.stats.Quiet, t.graves.n, t.stats.Streams, len(t.series), t.stats.SharedIdentities, t.overflows)
	return strings.Join(d.lines, "\n")
}

type dumper struct {
	t       *Table
	emitted bool
	lines   []string
}

func (d *dumper) line(format string, args ...any) {
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

func (k Key) String() string { return fmt.Sprintf("%08x", k.Lo>>32) }

func text(m pcommon.Map) string {
	var parts []string
	for k, v := range m.All() {
		parts = append(parts, k+"="+v.Type().String()+":"+v.AsString())
	}
	slices.Sort(parts)
	return strings.Join(parts, ",")
}

func (d *dumper) family(slot int, f *family) {
	overflow := "-"
	if f.overflow != nil {
		overflow = f.overflow.key.String()
	}
	d.line("family %03d %s group=%s{%s}%s scope=%s %s/%s{%s}%s %q %q %q kind=%d agg=%d series=%d overflow=%s",
		slot, f.key, f.group.key, text(f.group.attrs), f.group.schemaURL, f.scopeKey, f.scope.Name(), f.scope.Version(),
		text(f.scope.Attributes()), f.scopeSchemaURL, f.name, f.unit, f.description, f.kind, f.agg, f.series, overflow)
}

func (d *dumper) series(slot int, s *series) {
	start, flushed, prev := s.start, s.flushed, s.prev
	taken := s.used && (!s.family.kind.instantaneous() || len(s.members) > 0)
	if d.emitted && taken {
		if !flushed {
			start, flushed = max(start, d.t.epoch, *d.t.goneSince(s.family.kind)), true
		}
		if s.num.float {
			prev = max(prev, s.num.f.hi)
		}
	}
	parent := "-"
	if s.parent != nil {
		parent = s.parent.key.String()
	}
	var members []string
	for _, m := range s.members {
		members = append(members, fmt.Sprintf("%d/%s", m.life.id, m.key))
	}
	slices.Sort(members)
	d.line("series %03d %s of %s{%s} start=%d flushed=%v used=%v parent=%s members=%v %s",
		slot, s.key, s.family.key, text(s.attrs), start, flushed, s.used, parent, members, d.value(s, prev, taken))
}

func (d *dumper) value(s *series, prev float64, taken bool) string {
	switch {
	case s.dist != nil:
		return d.distTotal(s.dist, taken)
	case s.family.kind.instantaneous():
		return ""
	case s.num.float:
		return fmt.Sprintf("float=%v+%v prev=%v", s.num.f.hi, s.num.f.lo, prev)
	}
	return fmt.Sprintf("int=%d", s.num.i)
}

func (d *dumper) distTotal(t *distTotal, taken bool) string {
	prev, fell := t.prevSum, t.sumFell
	if d.emitted && taken {
		if prev, fell = t.sum.hi, false; !t.sumFell {
			prev = max(prev, t.prevSum)
		}
	}
	var living []string
	for _, l := range t.living {
		living = append(living, fmt.Sprintf("%v*%d", l.layout.bounds, l.runs))
	}
	slices.Sort(living)
	return fmt.Sprintf("count=%d sum=%v+%v min=%v max=%v none=%v%v%v started=%v prev=%v fell=%v bounds=%v counts=%v shown=%v living=%v %s",
		t.count, t.sum.hi, t.sum.lo, t.min, t.max, t.noSum, t.noMin, t.noMax, t.started, prev, fell,
		t.bounds, t.counts, t.shown, living, expoText(t.exp))
}

func expoText(e *expo) string {
	if e == nil {
		return ""
	}
	return fmt.Sprintf("scale=%d zero=%d@%v pos=%d%v neg=%d%v",
		e.scale, e.zero, e.threshold, e.pos.offset, e.pos.counts, e.neg.offset, e.neg.counts)
}

func (d *dumper) identity(id *identity) {
	var lives []string
	for _, l := range id.lives {
		lives = append(lives, strconv.FormatUint(l.id, 10))
	}
	d.line("identity %s %q group=%s lives=%v living=%d multiple=%d shared=%v",
		id.keys, id.name, id.group.key, lives, id.living, id.multiple, id.shared)
}

// identitiesOf are the identities of a table, each once, in an order of its own.
func identitiesOf(t *Table) []*identity {
	seen := map[*identity]bool{}
	for _, id := range t.identities {
		seen[id] = true
	}
	return slices.SortedFunc(maps.Keys(seen), func(a, b *identity) int {
		return strings.Compare(a.keys[0].String(), b.keys[0].String())
	})
}
