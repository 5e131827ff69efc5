package core

import (
	"maps"
	"time"

	"go.opentelemetry.io/collector/pdata/pmetric"
)

// origin is when the tests' time begins, by Wall.
const origin = int64(1_700_000_000 * time.Second)

// rig is a table with a disk and a clock, and what a processor does with them.
type rig struct {
	opt   *Options
	table *Table
	disk  disk
	// next is the number of the next journal record.
	next uint64
	now  Instant
}

// disk is what a storage holds.
type disk map[string][]byte

func (d disk) get(keys []string) ([][]byte, error) {
	values := make([][]byte, len(keys))
	for i, k := range keys {
		values[i] = d[k]
	}
	return values, nil
}

// without is a copy that lacks some keys.
func (d disk) without(which func(key string) bool) disk {
	c := maps.Clone(d)
	maps.DeleteFunc(c, func(key string, _ []byte) bool { return which(key) })
	return c
}

func (d disk) write(writes []Write) {
	for _, w := range writes {
		if w.Value == nil {
			delete(d, w.Key)
		} else {
			d[w.Key] = w.Value
		}
	}
}

// testOptions are the defaults with durable state, and rules for every aggregation.
func testOptions() *Options {
	return &Options{
		Identity: [][]string{{"worker.id"}, {"host.name", "process.pid"}},
		GroupBy:  []string{"service.name"},
		Life:     []string{"process.pid", "worker.incarnation"},
		Durable:  true,
		Rules: []Rule{
			{Match: []string{"gauge.sum"}, Aggregation: Sum},
			{Match: []string{"gauge.max"}, Aggregation: Max},
			{Match: []string{"gauge.last"}, Aggregation: Last},
			{Match: []string{"updown"}, Aggregation: Sum},
		},
		StaleAfter: time.Minute, AfterGoodbye: 5 * time.Minute, AfterStaleness: time.Hour,
		MaxWorkers: 1000, MaxSeries: 1000, MaxStreamsPerWorker: 1000, MaxTombstones: 1000,
	}
}

func newRig(opt *Options) *rig {
	now := Instant{Wall: origin, Mono: 1}
	return &rig{opt: opt, table: NewTable(opt, 42, now), disk: disk{}, now: now}
}

func (r *rig) wait(d time.Duration) { r.now = r.now.After(d) }

// push applies a request and journals what must be durable.
func (r *rig) push(md pmetric.Metrics) Result {
	res := r.apply(md)
	for _, id := range res.Commit {
		r.journal(r.table.Record(id))
	}
	return res
}

func (r *rig) apply(md pmetric.Metrics) Result {
	b := &Batch{}
	b.Prepare(r.table.Hasher(), r.opt, md)
	res := r.table.Apply(b, r.now)
	r.table.Events()
	return res
}

func (r *rig) journal(record []byte) {
	r.disk[r.table.JournalKey(r.next)] = record
	r.next++
}

func (r *rig) sweep() {
	for r.table.Sweep(r.now) {
	}
}

// flush takes a cut to its end and writes it.
func (r *rig) flush() *Flush {
	f := r.table.BeginFlush(r.now, r.next)
	r.finish(f)
	return f
}

func (r *rig) finish(f *Flush) {
	for f.Step() {
	}
	r.disk.write(f.Checkpoint().Writes())
}

// restored is the rig after a crash: all that it has is its disk.
func (r *rig) restored() (*rig, error) {
	now := Instant{Wall: r.now.Wall, Mono: 1}
	t, err := Restore(r.opt, r.disk.get, now)
	if err != nil {
		return nil, err
	}
	return &rig{opt: r.opt, table: t, disk: maps.Clone(r.disk), next: t.Journal(), now: now}, nil
}
