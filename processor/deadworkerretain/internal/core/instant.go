package core

import "time"

// Instant is a moment on the collector's two clocks, in nanoseconds. Points and
// start times are stamped by Wall; silence and ages are measured by Mono, which
// no clock step can move.
type Instant struct {
	Wall int64
	Mono int64
}

// After is the instant d later on both clocks.
func (i Instant) After(d time.Duration) Instant {
	return Instant{Wall: i.Wall + int64(d), Mono: i.Mono + int64(d)}
}
