package core

import "fmt"

func (r *restore) series() error {
	t := r.t
	all := make([]*series, r.nSeries.size)
	parents := map[*series]Key{}
	counted := 0
	chunks := (r.nSeries.size + chunkSize - 1) / chunkSize
	err := r.all(seriesKey, chunks, r.nSeries.n, func(_ int, d *decoder) (n int, err error) {
		for ; len(d.b) > 0 && err == nil; n++ {
			s := d.series(t.familySlots.all)
			if d.err != nil {
				break
			}
			err = r.place(s.series, all)
			if d.version == 1 {
				counted++
			}
			if s.parentKey != (Key{}) {
				parents[s.series] = s.parentKey
			}
		}
		return n, err
	})
	if err != nil {
		return err
	}
	t.slots.fill(all)
	for s, key := range parents {
		parent, ok := t.series[key]
		if !ok {
			return &DamagedError{Key: "s", Err: errNoSeries}
		}
		s.under(parent)
	}
	return r.all(seriesCounted, chunks, r.nSeries.n-counted, func(at int, d *decoder) (int, error) {
		return d.counted(all[at*chunkSize : min(len(all), (at+1)*chunkSize)])
	})
}

// place puts a series into its slot.
func (r *restore) place(s *series, all []*series) error {
	if int(s.slot) >= len(all) || all[s.slot] != nil {
		return fmt.Errorf("series has number %d, which is beyond %d or taken", s.slot, len(all))
	}
	all[s.slot] = s
	s.fed = r.now.Mono
	s.family.series++
	r.t.series[s.key] = s
	if s.family.overflow == s {
		r.t.overflows++
	}
	return nil
}
