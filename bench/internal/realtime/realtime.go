//go:build linux

// Package realtime reads the machine's clocks directly, so that work can be
// timed where the time package follows a simulated clock.
package realtime

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// Now is a point on the machine's monotonic clock.
func Now() time.Duration { return read(unix.CLOCK_MONOTONIC) }

// CPU is the processor time this process has used on all cores, with that of
// its garbage collector.
func CPU() time.Duration { return read(unix.CLOCK_PROCESS_CPUTIME_ID) }

func read(clock int32) time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(clock, &ts); err != nil {
		panic(fmt.Sprintf("clock %d: %v", clock, err))
	}
	return time.Duration(ts.Nano())
}
