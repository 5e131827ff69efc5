package speed

import (
	"flag"
	"fmt"
	"testing"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/contender"
	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
)

var full = flag.Bool("full", false, "measure fleets of full size instead of small ones")

// cell is one combination of payload and number of workers. Pushes of a
// payload stay the same size; with very many workers each exports less, so that
// what a contender keeps fits into memory.
type cell struct {
	name  string
	shape payload.Shape
	size  payload.Size
}

func cells() []cell {
	if !*full {
		return []cell{
			{"numbers-1k", payload.Numbers(1000), payload.Size{Workers: 10}},
			{"histograms", payload.Histograms(20, 50), payload.Size{Workers: 10}},
			{"exponential", payload.Exponential(20), payload.Size{Workers: 10}},
			{"wide", payload.Wide(5), payload.Size{Workers: 10, PerPush: 5}},
		}
	}
	return []cell{
		{"numbers-1k", payload.Numbers(1000), payload.Size{Workers: 1}},
		{"numbers-1k", payload.Numbers(1000), payload.Size{Workers: 100}},
		{"numbers-1k", payload.Numbers(100), payload.Size{Workers: 10_000, PerPush: 10}},
		{"numbers-10k", payload.Numbers(10_000), payload.Size{Workers: 1}},
		{"numbers-10k", payload.Numbers(2000), payload.Size{Workers: 100, PerPush: 5}},
		{"numbers-10k", payload.Numbers(50), payload.Size{Workers: 10_000, PerPush: 200}},
		{"histograms", payload.Histograms(200, 50), payload.Size{Workers: 1}},
		{"histograms", payload.Histograms(200, 50), payload.Size{Workers: 100}},
		{"histograms", payload.Histograms(2, 50), payload.Size{Workers: 10_000, PerPush: 100}},
		{"exponential", payload.Exponential(200), payload.Size{Workers: 1}},
		{"exponential", payload.Exponential(200), payload.Size{Workers: 100}},
		{"exponential", payload.Exponential(2), payload.Size{Workers: 10_000, PerPush: 100}},
		{"wide", payload.Wide(30), payload.Size{Workers: 1}},
		{"wide", payload.Wide(30), payload.Size{Workers: 100}},
		{"wide", payload.Wide(1), payload.Size{Workers: 10_000, PerPush: 10}},
	}
}

// eachCell runs f for each contender on each cell; the contenders on one cell
// follow each other closely, so that a busy machine is busy for all of them.
func eachCell(b *testing.B, kinds []contender.Kind, f func(*testing.B, contender.Kind, *payload.Fleet)) {
	for _, c := range cells() {
		for _, k := range kinds {
			b.Run(fmt.Sprintf("payload=%s/workers=%d/contender=%s", c.name, c.size.Workers, k.Name), func(b *testing.B) {
				f(b, k, payload.NewFleet(c.shape, c.size))
			})
		}
	}
}

// start builds a contender; without it the benchmark is skipped.
func start(b *testing.B, k contender.Kind, f *payload.Fleet) contender.Contender {
	c, err := k.New(f)
	if err != nil {
		b.Fatal(err)
	}
	if c == nil {
		b.Skip("has no such type")
	}
	return c
}

func push(b *testing.B, c contender.Contender, f *payload.Fleet) {
	c.Prepare(f.Next())
	if err := c.Push(); err != nil {
		b.Fatal(err)
	}
}

// check repeats a push with the output kept, ends the contender and compares
// its totals with the right ones.
func check(b *testing.B, k contender.Kind, c contender.Contender, f *payload.Fleet) {
	b.Helper()
	c.Record(true)
	push(b, c, f)
	got := c.Totals()
	if got == nil {
		return
	}
	switch diff := got.Diff(f.Want()); {
	case diff == "":
	case k.Exact:
		b.Fatalf("%s: %s", k.Name, diff)
	default:
		b.Logf("%s: %s", k.Name, diff)
	}
}
