package core

import (
	"slices"

	"go.opentelemetry.io/collector/pdata/pmetric"
)

// exemplars takes over the exemplars of an accepted point that are later than
// the newest seen of its run. The next flush emits them, once.
func (a *applying) exemplars(s *stream, p *point, ref *metricRef) {
	all := ref.exemplars(p.index)
	ext := s.extend()
	if ext.exemplars == nil {
		ext.exemplars = map[int64]int64{}
	}
	run := p.start
	if ref.delta {
		run = 0
	}
	newest := ext.exemplars[run]
	seen := newest
	for _, e := range all.All() {
		if t := nanos(e.Timestamp()); t > seen {
			s.series.addExemplar(e)
			newest = max(newest, t)
		}
	}
	ext.exemplars[run] = newest
}

// addExemplar keeps the newest maxExemplars.
func (s *series) addExemplar(e pmetric.Exemplar) {
	own := pmetric.NewExemplar()
	e.CopyTo(own)
	s.exemplars = append(s.exemplars, own)
	if len(s.exemplars) > maxExemplars {
		oldest := 0
		for i, x := range s.exemplars {
			if x.Timestamp() < s.exemplars[oldest].Timestamp() {
				oldest = i
			}
		}
		s.exemplars = slices.Delete(s.exemplars, oldest, oldest+1)
	}
}
