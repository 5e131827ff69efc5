package core

import (
	"slices"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// identity is a name under which workers come, one after the other or together.
type identity struct {
	// keys are the names it is known by; attributes that arrive late add one.
	keys  []Key
	name  string
	group *group
	lives []*life
	// living counts the living lives, multiple those of several living runs.
	living, multiple int
	shared, warned   bool
}

// life is one worker from birth to death.
type life struct {
	identity *identity
	id       uint64
	marks    []string
	markKey  Key
	state    lifecycle.State
	// place is the life's index among the living, or -1.
	place int

	resource  pcommon.Map
	schemaURL string
	own       *group
	instance  string

	// born is when the first point arrived, seen the last point or signal; by Mono.
	born, seen int64
	// last is the latest point time.
	last int64
	// early is the newest point of the last push, if that was earlier than last.
	early int64
	gaps  gaps

	streams []stream
	levels  []*level
	index   index

	death death
	// firstStart is the life's entry among the starts of the table.
	firstStart startKey
	slot       uint32
	// version counts the changes, where state is durable.
	version uint64
	// dirty lives have changed since the last checkpoint; pending ones are still
	// to be written by the running one, as they were at its cut.
	dirty   bool
	pending *Checkpoint
	// named is a hash of the record on disk that says who the life is, 0 if it must
	// be written.
	named uint64
	// buried lives have gone from the table.
	buried bool
	// eventful lives have streams with several runs or layouts, which need sweeping.
	eventful bool
	swept    int64
	// multiple counts the streams with several living runs.
	multiple int
	// dips counts times that values stepped back.
	dips int
	// announced remembers what the life has been warned or told of.
	announced announcements
}

// death says how a life ended.
type death struct {
	reason Reason
	at     int64
	// serial tells this death from an earlier or later one of the same life.
	serial uint64
	until  int64
}

type announcements struct {
	baseline, inherited, moving, crowded bool
}

// Reason is why a life was folded.
type Reason uint8

// The reasons: the worker said goodbye, somebody reported its end, its connection
// was lost, or it was silent for longer than staleness allows.
const (
	Goodbye Reason = iota
	Reported
	ConnectionLost
	Stale

	reasons
)

var reasonNames = [reasons]string{"goodbye", "reported", "connection_lost", "stale"}

// String is the value of the reason attribute in telemetry.
func (r Reason) String() string { return reasonNames[r] }

func reasonOf(s lifecycle.Signal) Reason {
	switch s.Reason {
	case lifecycle.ReasonReported:
		return Reported
	case lifecycle.ReasonConnectionLost:
		return ConnectionLost
	default:
		return Goodbye
	}
}

// said reports whether the death was told, by the worker or about it, and not
// merely inferred: such a life stays dead until it pushes something later.
func (r Reason) said() bool { return r == Goodbye || r == Reported }

func (l *life) key() Key { return l.identity.keys[0].plus(l.markKey) }

func (l *life) alive() bool { return l.place >= 0 }

// name is how people call the life.
func (l *life) name(o *Options) string {
	name := l.identity.name
	if name == "" {
		name = "(anonymous)"
	}
	if m := marksText(o, l.marks); m != "" {
		return name + " (" + m + ")"
	}
	return name
}

// gaps is the time between a life's last pushes.
type gaps struct {
	at [5]int64
	n  uint8
}

func (g *gaps) push(mono int64) {
	g.at[g.n%5] = mono
	if g.n++; g.n == 10 {
		g.n = 5
	}
}

// median is 0 until five pushes are known.
func (g *gaps) median() time.Duration {
	if g.n < 5 {
		return 0
	}
	at := g.at
	slices.Sort(at[:])
	var d [4]int64
	for i := range d {
		d[i] = at[i+1] - at[i]
	}
	slices.Sort(d[:])
	return time.Duration(d[1]+d[2]) / 2
}

const (
	leastStale   = time.Minute
	mostStale    = 15 * time.Minute
	unknownStale = 5 * time.Minute
)

// staleAfter is how long this life may be silent.
func (l *life) staleAfter(o *Options) time.Duration {
	if o.StaleAfter > 0 {
		return o.StaleAfter
	}
	gap := l.gaps.median()
	if gap == 0 {
		return unknownStale
	}
	return min(max(4*gap, leastStale), mostStale)
}

// firstCollection reports whether what arrives now belongs to the life's first collection.
func (l *life) firstCollection(now Instant) bool {
	window := 5 * time.Second
	if gap := l.gaps.median(); gap > 0 {
		window = gap / 2
	}
	return now.Mono-l.born <= int64(window)
}
