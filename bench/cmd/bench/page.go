package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/report"
)

// totals has the one table of which speed is no part.
func totals(outcomes []report.Outcome) string {
	return "### Totals\n\n" + report.OutcomeTable(outcomes)
}

// page has all tables.
func page(r report.Results, outcomes []report.Outcome) string {
	var b strings.Builder
	add := func(title, text string) { fmt.Fprintf(&b, "### %s\n\n%s\n", title, text) }
	add("Targets", report.TargetTable(report.Targets(r)))
	add("Steady state, ns a point", r.PushTable("Steady", "quiet-ns/op"))
	add("Steady state, allocations a point", r.PushTable("Steady", "allocs/op"))
	add("First contact, ns a point", r.PushTable("First", "quiet-ns/op"))
	add("Whole collector", r.Table("Whole", "points/s", "cpu-s/Mpoint"))
	add("Heap of a living stream", r.Table("Heap", "heap-B/stream"))
	add("Heap kept for dead workers", r.Table("Dead", "fresh-kB", "closed-kB", "gone-kB"))
	add("Flush", r.Table("Flush", "ns/series", "ns/op", "marshal-ns/op", "copy-ns/op"))
	add("Pushes while series are flushed", r.Table("Hold", "median-ns", "p999-ns", "slowest-ns", "flushes"))
	add("Churn: everything, flushes and deaths too", r.Table("Churn", "ns/point", "heap-MB"))
	add("Goodbye", r.Table("Goodbye", "quiet-ns/op", "quiet-push-ns/op", "allocs/op"))
	add("Goodbye storm, last values and goodbye in one", r.Table("Storm", "ns/op", "push-ns/op"))
	add("Growth", r.Table("Growth", "quiet-ns/op", "allocs/op"))
	add("Cores", r.Table("Cores", "points/op", "quiet-ns/op"))
	return b.String() + totals(outcomes)
}

const (
	begin = "<!-- begin: go run ./cmd/bench -docs ../docs -->\n"
	end   = "<!-- end -->\n"
)

// writeDocs puts the tables between their marks in performance.md, and the chart beside it.
func writeDocs(dir, text, chart string) error {
	file := filepath.Join(dir, "performance.md")
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(old), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return fmt.Errorf("%s has no lines %q and %q to put the tables between", file, begin, end)
	}
	if err := os.WriteFile(file, []byte(before+begin+"\n"+text+end+after), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "bench.svg"), []byte(chart), 0o644)
}
