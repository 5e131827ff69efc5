package core

import "go.opentelemetry.io/collector/pdata/pcommon"

// instanceAttr tells resources apart in most backends; the Prometheus exporter
// makes it the instance label.
// https://opentelemetry.io/docs/specs/semconv/resource/#service
const instanceAttr = "service.instance.id"

// ownGroup is the life's own resource, for what is emitted per life. It is fixed
// when first needed, so that a descriptive attribute which changes in mid-life
// moves no series.
func (l *life) ownGroup(t *Table) *group {
	if l.own != nil {
		return l.own
	}
	attrs := pcommon.NewMap()
	l.resource.CopyTo(attrs)
	attrs.PutStr(instanceAttr, l.instance)
	l.own = &group{key: t.hash.words(roleLife, l.id).plus(l.identity.group.key), attrs: attrs, schemaURL: l.schemaURL}
	return l.own
}

// seriesIn finds or makes the series of a point in a group, or nil without room.
func (t *Table) seriesIn(g *group, p *point, ref *metricRef, now Instant) *series {
	f := t.familyFor(g, ref)
	s := t.newSeries(f, p.key.plus(g.key), ref.attributes(p.index), now)
	if s == nil && f.series == 0 {
		t.dropFamily(f)
	}
	return s
}

// ownSeries is the life's part of a series in split output: a series of its own
// under the life's resource. Without room the stream feeds the parent directly,
// which keeps the sum whole.
func (t *Table) ownSeries(l *life, parent *series, now Instant) *series {
	if len(t.series)-t.overflows >= t.opt.MaxSeries {
		return parent
	}
	f := t.ownFamily(l, parent.family)
	key := parent.key.plus(l.ownGroup(t).key)
	s, ok := t.series[key]
	if !ok {
		s = t.addSeries(f, key, parent.attrs, now)
		s.under(parent)
	}
	return s
}

func (t *Table) ownFamily(l *life, shared *family) *family {
	g := l.ownGroup(t)
	key := shared.key.plus(g.key)
	f, ok := t.families[key]
	if !ok {
		f = &family{
			key: key, group: g, scope: shared.scope, scopeSchemaURL: shared.scopeSchemaURL,
			scopeKey: shared.scopeKey.plus(g.key), name: shared.name, unit: shared.unit,
			description: shared.description, kind: shared.kind, agg: shared.agg,
		}
		t.addFamily(f)
	}
	return f
}

// foldOwn moves what a series of a life has counted into the retained one.
func (t *Table) foldOwn(s *series, now Instant) {
	parent := s.parent
	t.touch(s)
	t.touch(parent)
	if s.dist != nil {
		if parent.dist.fits(s.dist.count) {
			parent.dist.absorb(s.dist)
		}
		parent.dist.showNoMore(s.dist.shown)
	} else if parent.num.absorb(&s.num) {
		parent.prev = max(parent.prev, roundedUp(parent.num.i))
	}
	if !parent.flushed {
		parent.start = min(parent.start, s.start)
	}
	parent.exemplars = append(parent.exemplars, s.exemplars...)
	parent.fed = now.Mono
	t.end(s)
}

// end removes a series whose life has ended, or that nobody feeds any more, and
// has the next flush say so.
func (t *Table) end(s *series) {
	if s.shown {
		t.ended = append(t.ended, ending{s.key, s.family, s.attrs, s.start})
	}
	t.forget(s)
}
