package core

import (
	"errors"
	"fmt"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// Getter reads records; a missing one is nil.
type Getter func(keys []string) ([][]byte, error)

// ErrNoState means that nothing has been stored yet.
var ErrNoState = errors.New("there is no state")

// DamagedError says which record could not be read.
type DamagedError struct {
	Key string
	Raw []byte
	Err error
}

func (e *DamagedError) Error() string { return fmt.Sprintf("state record %q: %v", e.Key, e.Err) }
func (e *DamagedError) Unwrap() error { return e.Err }

// meta writes what there is once.
func (c *Checkpoint) meta(now Instant) {
	t := c.t
	var e encoder
	e.key(t.opt.fingerprint())
	e.fixed(t.seed)
	e.int(t.epoch)
	e.int(t.lastFlush)
	e.int(t.seriesGone)
	e.int(t.levelsGone)
	e.int(t.closed.watermark)
	e.uint(t.lifeIDs)
	e.uint(t.closed.lastID)
	e.uint(c.journal)
	e.extent(t.familySlots.extent())
	e.extent(t.slots.extent())
	e.extent(t.lifeSlots.extent())
	e.uint(uint64(len(t.closed.spans)))
	for _, s := range t.closed.spans {
		e.uint(s.id)
		e.uint(s.parts)
		e.int(s.newest)
		e.int(now.Mono - s.from)
	}
	c.put(MetaKey, e.record())
}

// fingerprint changes when a state can no longer be continued: workers would be
// taken for others, or series.
func (o *Options) fingerprint() Key {
	h := NewHasher(0)
	k := h.words(roleLife, uint64(len(o.Identity)), uint64(len(o.GroupBy)), uint64(len(o.Life)))
	for i, c := range o.Identity {
		for _, name := range c {
			k = k.plus(h.text(roleIdentity+role(i)<<32, name))
		}
	}
	for i, name := range o.GroupBy {
		k = k.plus(h.text(roleGroup+role(i)<<32, name))
	}
	for i, name := range o.Life {
		k = k.plus(h.text(roleLife+role(i)<<32, name))
	}
	flags := uint64(flag(o.DropScopeVersion, 1) | flag(o.Split, 2))
	return k.plus(h.words(roleScope, flags))
}

var errConfiguration = errors.New("the state was made with another identity, group_by, life, scope_version or output, and cannot be continued")

// Restore makes the table of a state on disk. The error is [ErrNoState] if there
// is none, wraps [ErrNewer] if it is not ours to read, and is a [DamagedError]
// if it makes no sense: then nothing of it is used, because a total without its
// workers, or workers without their total, would be wrong.
func Restore(opt *Options, get Getter, now Instant) (*Table, error) {
	raw, err := get([]string{MetaKey})
	if err != nil {
		return nil, err
	}
	if raw[0] == nil {
		return nil, ErrNoState
	}
	r := &restore{get: get, now: now, known: map[uint64]*life{}}
	if err := r.meta(opt, raw[0]); err != nil {
		return nil, &DamagedError{MetaKey, raw[0], err}
	}
	for _, step := range []func() error{r.families, r.series, r.lives, r.closed, r.journal} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	if r.old {
		r.t.rewrite()
	}
	return r.t, nil
}

// restore is a restore on its way.
type restore struct {
	get                        Getter
	now                        Instant
	t                          *Table
	nFamilies, nSeries, nLives extent
	// lifeIDs is the highest id of a life before the cut, known are the lives by id.
	lifeIDs   uint64
	known     map[uint64]*life
	lifeSlots []*life
	// old is set if the state has an older format.
	old bool
}

func (r *restore) meta(opt *Options, raw []byte) error {
	d := open(raw)
	print := d.key()
	if d.err == nil && print != opt.fingerprint() {
		return errConfiguration
	}
	r.old = d.version < formatVersion
	t := NewTable(opt, d.fixed(), r.now)
	t.epoch, t.lastFlush, t.seriesGone, t.levelsGone = d.int(), d.int(), d.int(), d.int()
	t.closed.watermark, t.lifeIDs, t.closed.lastID = d.int(), d.uint(), d.uint()
	t.journal = d.uint()
	t.unsaved.journalled = t.journal
	r.lifeIDs = t.lifeIDs
	r.nFamilies, r.nSeries, r.nLives = d.extent(), d.extent(), d.extent()
	for n := d.count(); n > 0 && d.err == nil; n-- {
		span := closedRuns{id: d.uint(), parts: d.uint(), newest: d.int(), from: r.now.Mono - d.int(), runs: map[uint64]struct{}{}}
		span.most = span.parts
		t.closed.spans = append(t.closed.spans, span)
	}
	r.t = t
	return d.err
}

func (r *restore) families() error {
	all := make([]*family, r.nFamilies.size)
	err := r.all(familyKey, r.nFamilies.size, r.nFamilies.n, func(slot int, d *decoder) (int, error) {
		f := d.family(r.t.groups)
		f.slot = uint32(slot)
		all[slot] = f
		r.t.families[f.key] = f
		f.group.users++
		return 1, nil
	})
	r.t.familySlots.fill(all)
	return err
}

func (r *restore) lives() error {
	t := r.t
	read := make([]*lifeRecord, r.nLives.size)
	r.lifeSlots = make([]*life, r.nLives.size)
	err := r.all(lifeKey, r.nLives.size, r.nLives.n, func(slot int, d *decoder) (int, error) {
		read[slot] = d.life()
		if d.err == nil && d.version == 1 {
			return 1, r.life(slot, read[slot])
		}
		return 1, nil
	})
	if err != nil {
		return err
	}
	err = r.all(lifeCounted, r.nLives.size, r.nLives.n-len(r.known), func(slot int, d *decoder) (int, error) {
		if read[slot] == nil {
			return 0, fmt.Errorf("values of a life in slot %d, where there is none", slot)
		}
		if d.lifeCounted(read[slot]); d.err == nil {
			return 1, r.life(slot, read[slot])
		}
		return 1, nil
	})
	t.lifeSlots.fill(r.lifeSlots)
	if err == nil {
		r.bury()
	}
	return err
}

func (r *restore) life(slot int, rec *lifeRecord) error {
	l, err := r.t.restoreLife(rec, r.now)
	if err == nil {
		l.slot = uint32(slot)
		r.lifeSlots[slot], r.known[l.id] = l, l
	}
	return err
}

func (r *restore) closed() error {
	for i := range r.t.closed.spans {
		s := &r.t.closed.spans[i]
		for part := range s.parts {
			key := r.t.key(closedPart, s.id, part)
			raw, err := r.get([]string{key})
			if err != nil {
				return err
			}
			d := open(raw[0])
			for n := d.uint(); n > 0 && d.err == nil; n-- {
				s.runs[d.fixed()] = struct{}{}
			}
			if d.err != nil {
				return &DamagedError{key, raw[0], d.err}
			}
		}
		r.t.closed.n += len(s.runs)
	}
	return nil
}

func newAttrs(d *decoder) pcommon.Map {
	m := pcommon.NewMap()
	d.attrs(m)
	return m
}
