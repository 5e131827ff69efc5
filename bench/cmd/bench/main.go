// Command bench runs all benchmarks and prints what came of them as tables.
//
//	cd bench && go run ./cmd/bench          # about ten minutes
//	cd bench && go run ./cmd/bench -quick   # about one: totals, not speed
//
// Raw output for benchstat goes to results/, tables to results/report.md. With
// -docs the tables and the chart of the documentation are written again.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/report"
)

type options struct {
	quick     bool
	rounds    int
	out       string
	docs      string
	collector string
	from      string
}

func main() {
	var o options
	flag.BoolVar(&o.quick, "quick", false, "small fleets and one round: checks the totals of all contenders and that everything runs")
	flag.IntVar(&o.rounds, "rounds", 3, "how often everything is measured, all contenders in turn")
	flag.StringVar(&o.out, "out", "results", "directory for raw output and the report")
	flag.StringVar(&o.docs, "docs", "", "directory of performance.md and bench.svg, to be brought up to date")
	flag.StringVar(&o.collector, "collector", "../dist/otelcol-workers", "built collector; without it the whole collector is not measured")
	flag.StringVar(&o.from, "from", "", "directory with the raw output of an earlier run, of which the tables are made; nothing is measured")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(o options) error {
	if o.from != "" {
		return again(o)
	}
	if o.quick {
		o.rounds = 1
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	raw, err := os.Create(filepath.Join(o.out, "raw.txt"))
	if err != nil {
		return err
	}
	defer raw.Close()
	m, err := newMeasuring(o, raw)
	if err != nil {
		return err
	}
	defer m.close()
	on := machine()
	fmt.Fprintln(raw, on)
	for round := range o.rounds {
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round+1, o.rounds)
		if err := m.round(round); err != nil {
			return err
		}
	}
	if o.quick {
		fmt.Println(totals(m.outcomes))
		return nil
	}
	return publish(o, on, m.results, m.outcomes)
}

// again makes the tables of what an earlier run has measured.
func again(o options) error {
	raw, err := os.ReadFile(filepath.Join(o.from, "raw.txt"))
	if err != nil {
		return err
	}
	outcomes, err := report.Outcomes(string(raw))
	if err != nil {
		return err
	}
	results := report.Results{}
	if err := results.Read(bytes.NewReader(raw)); err != nil {
		return err
	}
	on, _, _ := strings.Cut(string(raw), "\n")
	return publish(o, on, results, outcomes)
}

// publish prints the tables and puts them where they are wanted. on is what they
// were measured on.
func publish(o options, on string, results report.Results, outcomes []report.Outcome) error {
	text := on + "\n\n" + page(results, outcomes)
	fmt.Println(text)
	if err := os.WriteFile(filepath.Join(o.out, "report.md"), []byte(text), 0o644); err != nil {
		return err
	}
	if o.docs == "" {
		return nil
	}
	return writeDocs(o.docs, text, report.Chart(results))
}
