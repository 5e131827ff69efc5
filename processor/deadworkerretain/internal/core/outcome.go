package core

// Outcome says what became of a point.
type Outcome uint8

const (
	// Accepted points were applied, or confirmed what was known at a later time.
	Accepted Outcome = iota
	// Late points are older than what is known and hold nothing new.
	Late
	// Dip points are newer but lower than their run allows, and are ignored.
	Dip
	// Duplicate points arrived before.
	Duplicate
	// Overlap points are deltas whose window overlaps a known one; they are added.
	Overlap
	// Invalid points break the data model.
	Invalid
	// Baseline points are first values that add nothing.
	Baseline
	// ReturnedLate points came back after their tombstone was closed and add nothing.
	ReturnedLate
	// Overflowed points were counted in an overflow series.
	Overflowed
	// Refused points are beyond a limit.
	Refused

	outcomes
)

var outcomeNames = [outcomes]string{
	"accepted", "late", "dip", "duplicate", "overlap", "invalid", "baseline", "returned_late", "overflow", "refused",
}

// String is the value of the outcome attribute in telemetry.
func (o Outcome) String() string { return outcomeNames[o] }

// Counts holds a number for every outcome.
type Counts [outcomes]uint64

// Add adds other to c.
func (c *Counts) Add(other *Counts) {
	for i, n := range other {
		c[i] += n
	}
}

// Applied reports whether any point was understood and within the limits: the
// sender need not send it again or otherwise.
func (c *Counts) Applied() bool {
	for o, n := range c {
		if n > 0 && Outcome(o) != Invalid && Outcome(o) != Refused {
			return true
		}
	}
	return false
}
