package core

import "go.opentelemetry.io/collector/pdata/pcommon"

// A family's record holds what its series have in common; series refer to it by
// its slot. Series are written in chunks, which are in chunk.go.

const (
	seriesFlushed = 1 << iota
	seriesUsed
	seriesOverflow
	seriesParent
)

func (e *encoder) family(f *family) {
	e.key(f.key)
	e.key(f.group.key)
	e.attrs(f.group.attrs)
	e.text(f.group.schemaURL)
	e.key(f.scopeKey)
	e.text(f.scope.Name())
	e.text(f.scope.Version())
	e.attrs(f.scope.Attributes())
	e.text(f.scopeSchemaURL)
	e.text(f.name)
	e.text(f.unit)
	e.text(f.description)
	e.flags(uint8(f.kind))
	e.flags(uint8(f.agg))
}

func (d *decoder) family(groups map[Key]*group) *family {
	f := &family{key: d.key(), scope: pcommon.NewInstrumentationScope()}
	g := &group{key: d.key(), attrs: pcommon.NewMap()}
	d.attrs(g.attrs)
	g.schemaURL = d.text()
	if known, ok := groups[g.key]; ok {
		g = known
	} else {
		groups[g.key] = g
	}
	f.group, f.scopeKey = g, d.key()
	f.scope.SetName(d.text())
	f.scope.SetVersion(d.text())
	d.attrs(f.scope.Attributes())
	f.scopeSchemaURL, f.name, f.unit, f.description = d.text(), d.text(), d.text(), d.text()
	f.kind, f.agg = kind(d.flags()), Aggregation(d.flags())
	d.must(f.kind >= kindCounter && f.kind <= kindGauge && f.agg <= Drop, "metric %q has kind %d and aggregation %d, which there are not", f.name, f.kind, f.agg)
	return f
}

// series writes what a series is.
func (e *encoder) series(s *series) {
	e.key(s.key)
	e.uint(uint64(s.slot))
	e.uint(uint64(s.family.slot))
	e.flags(flag(s.family.overflow == s, seriesOverflow) | flag(s.parent != nil, seriesParent))
	if s.parent != nil {
		e.key(s.parent.key)
	}
	e.attrs(s.attrs)
}

func (e *encoder) total(t *total) {
	e.bool(t.float)
	if t.float {
		e.double(t.f.hi)
		e.double(t.f.lo)
	} else {
		e.int(t.i)
	}
}

func (d *decoder) total() total {
	if d.bool() {
		return total{float: true, f: dd{d.double(), d.double()}}
	}
	return total{i: d.int()}
}

// seriesRecord is a series whose parent may not have been read yet.
type seriesRecord struct {
	*series
	parentKey Key
}

// series reads what a series is, and in format 1 what it has counted.
func (d *decoder) series(families []*family) seriesRecord {
	s := &series{key: d.key(), slot: uint32(d.uint()), attrs: pcommon.NewMap()}
	n := d.uint()
	if d.must(n < uint64(len(families)) && families[n] != nil, "series of metric %d, which there is not", n); d.err != nil {
		return seriesRecord{}
	}
	s.family = families[n]
	f := d.flags()
	if f&seriesOverflow != 0 {
		s.family.overflow = s
	}
	if d.version == 1 {
		s.flushed, s.used = f&seriesFlushed != 0, f&seriesUsed != 0
		s.start = d.int()
	}
	r := seriesRecord{series: s}
	if f&seriesParent != 0 {
		r.parentKey = d.key()
	}
	d.attrs(s.attrs)
	if d.version == 1 {
		d.amount(s, nil)
	}
	return r
}

// amount writes the value of a series, whose kind its family says.
func (e *encoder) amount(s *series, known *boundLists) {
	if s.dist != nil {
		e.distTotal(s.dist, known)
		return
	}
	e.total(&s.num)
	if s.num.float {
		e.double(s.prev)
	}
}

func (d *decoder) amount(s *series, known *boundLists) {
	s.shown = s.flushed && s.used
	switch s.family.kind {
	case kindHistogram, kindExponential, kindSummary:
		s.dist = d.distTotal(known)
		return
	}
	if s.num = d.total(); s.num.float {
		s.prev = d.double()
	}
}
