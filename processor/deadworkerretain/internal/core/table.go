package core

// Table is all that is known of workers and series.
type Table struct {
	opt  *Options
	seed uint64
	hash Hasher
	// epoch is when the state began, by Wall.
	epoch int64
	// peak is the most lives since memory was last given back.
	peak int

	groups      map[Key]*group
	families    map[Key]*family
	series      map[Key]*series
	slots       slots[series]
	familySlots slots[family]
	lifeSlots   slots[life]
	overflows   int
	identities  map[Key]*identity
	// instances are the names that lives are shown by.
	instances map[Key]struct{}
	// names finds identities by their name alone.
	names map[string][]*identity
	// lives finds a life, living or dead, by its identity and life attributes.
	lives  map[Key]*life
	living []*life
	graves graves
	closed closed
	// starts finds a life by the start time of its first run, to tell inherited copies.
	starts map[startKey]*life

	unsaved   unsaved
	flush     *Flush
	flushes   uint32
	lastFlush int64
	// seriesGone and levelsGone are the last flushes that held a series which is gone.
	seriesGone, levelsGone int64
	ended                  []ending
	sweeping, unfedAt      int
	lifeIDs                uint64
	// journal is where a restore found the journal to end.
	journal uint64
	deaths  uint64

	stats  Stats
	events []Event
	// kinds remembers the first family of a name, to warn of conflicts.
	kinds map[string]*family

	scratch scratch
}

// scratch is memory that is used within one call.
type scratch struct {
	in   dist
	gain gain
}

// NewTable makes an empty table. seed keys its hashes; it must be random and,
// with durable state, kept with it.
func NewTable(opt *Options, seed uint64, now Instant) *Table {
	return &Table{
		opt: opt, seed: seed, hash: NewHasher(seed), epoch: now.Wall,
		groups:     map[Key]*group{},
		families:   map[Key]*family{},
		series:     map[Key]*series{},
		identities: map[Key]*identity{},
		names:      map[string][]*identity{},
		instances:  map[Key]struct{}{},
		lives:      map[Key]*life{},
		starts:     map[startKey]*life{},
		kinds:      map[string]*family{},
		closed:     newClosed(opt),
		unsaved:    unsaved{on: opt.Durable},
	}
}

// Hasher is what requests for this table must be prepared with.
func (t *Table) Hasher() Hasher { return t.hash }

// Epoch is when the state began, in nanoseconds by Wall.
func (t *Table) Epoch() int64 { return t.epoch }
