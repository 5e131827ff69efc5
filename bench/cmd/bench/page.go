package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/report"
)

// page has all tables.
func page(r report.Results, outcomes []report.Outcome) string {
	var b strings.Builder
	add := func(title, text string) { fmt.Fprintf(&b, "### %s\n\n%s\n", title, text) }
	add("Targets", report.TargetTable(report.Targets(r)))
	add("Steady state, ns a point", r.PushTable("Steady", "quiet-ns/op"))
	add("Steady state, allocations a point", r.PushTable("Steady", "allocs/op"))
	add("First contact, ns a point", r.PushTable("First", "quiet-ns/op"))
	add("Whole collector", r.Table("Whole"))
	add("Heap of a living stream", r.Table("Heap"))
	add("Heap kept for dead workers", r.Table("Dead"))
	add("Flush", r.Table("Flush"))
	add("Pushes while series are flushed", r.Table("Hold"))
	add("Churn: everything, flushes and deaths too", r.Table("Churn"))
	add("Goodbye", r.Table("Goodbye"))
	add("Goodbye storm, last values and goodbye in one", r.Table("Storm"))
	add("Growth", r.Table("Growth"))
	add("Cores", r.Table("Cores"))
	add("Totals", report.OutcomeTable(outcomes))
	return b.String()
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
