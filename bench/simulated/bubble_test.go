//go:build synctest

package simulated

import (
	"flag"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/contender"
	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
	"github.com/otelcol-workers/otelcol-workers/bench/internal/realtime"
)

var full = flag.Bool("full", false, "measure at full size instead of a small one")

// size is the full one if asked for.
func size(whole, small int) int {
	if *full {
		return whole
	}
	return small
}

// figure prints a line in the format of Go benchmarks.
func figure(name string, pairs ...any) {
	var line strings.Builder
	fmt.Fprintf(&line, "Benchmark%s 1", name)
	for i := 0; i < len(pairs); i += 2 {
		fmt.Fprintf(&line, " %v %s", pairs[i], pairs[i+1])
	}
	fmt.Println(line.String())
}

// bubble runs f under a fake clock.
func bubble(t *testing.T, name string, f func(*testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, f) })
}

func push(t *testing.T, c contender.Contender, f *payload.Fleet) {
	c.Prepare(f.Next())
	require.NoError(t, c.Push())
}

func ours(t *testing.T, settings map[string]any) *contender.Pipeline {
	p, err := contender.NewOurs(settings)
	require.NoError(t, err)
	return p
}

// elapse lets fake time pass and returns how long the machine worked meanwhile.
func elapse(d time.Duration) time.Duration {
	from := realtime.Now()
	time.Sleep(d)
	synctest.Wait()
	return realtime.Now() - from
}

// heap is what is in use after everything that can go has gone.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
