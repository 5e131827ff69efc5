package core

import "errors"

// A chunk is a number of series with slots beside each other. Its one record says
// what they are, and is written when one comes or goes; the other what they have
// counted, and is a few bytes for each.

// chunkSize is how many series share a chunk. Their places fit into the bits that
// the flags leave in a byte.
const chunkSize = 64

const (
	countedFlushed = chunkSize << iota
	countedUsed
)

// chunk is a chunk on its way to the disk.
type chunk struct {
	change         chunkChange
	named, counted encoder
	follow         follow
}

// follow is what an entry of a chunk's record continues.
type follow struct {
	start int64
	lists boundLists
}

func newChunk(change chunkChange) *chunk {
	return &chunk{change: change, counted: encoder{b: make([]byte, 0, 8*chunkSize)}}
}

// add writes one of the series, in any order.
func (c *chunk) add(s *series) {
	if c.change == chunkNamed {
		c.named.series(s)
	}
	c.counted.counted(s, &c.follow)
}

func (e *encoder) counted(s *series, after *follow) {
	e.flags(uint8(s.slot%chunkSize) | flag(s.flushed, countedFlushed) | flag(s.used, countedUsed))
	e.int(s.start - after.start)
	after.start = s.start
	e.amount(s, &after.lists)
}

var errNotCounted = errors.New("a value has no series, or a series two values")

// counted reads what the series of a chunk have counted, and answers how many there are.
func (d *decoder) counted(chunk []*series) (n int, err error) {
	var after follow
	var seen [chunkSize]bool
	for len(d.b) > 0 && d.err == nil {
		f := d.flags()
		at := int(f % chunkSize)
		if at >= len(chunk) || chunk[at] == nil || seen[at] {
			return n, errNotCounted
		}
		s := chunk[at]
		seen[at] = true
		s.flushed, s.used = f&countedFlushed != 0, f&countedUsed != 0
		s.start = d.int() + after.start
		after.start = s.start
		d.amount(s, &after.lists)
		n++
	}
	return n, nil
}
