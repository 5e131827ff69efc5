package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/report"
)

// measuring runs the benchmarks and gathers their results.
type measuring struct {
	options
	raw      io.Writer
	dir      string
	results  report.Results
	outcomes []report.Outcome
}

// step is one run of a test binary.
type step struct {
	binary string
	args   []string
	// once says that one round is enough: what it reports does not depend on speed.
	once bool
}

func steps(quick bool) []step {
	benchmark := func(pattern, time string) []string {
		return []string{"-test.run=^$", "-test.bench=" + pattern, "-test.benchtime=" + time}
	}
	if quick {
		return []step{
			{binary: "speed", args: benchmark("Steady|First|Growth|Cores|Goodbye", "20x")},
			{binary: "speed", args: benchmark("Heap", "1x")},
			{binary: "speed", args: benchmark("Hold", "400ms")},
			{binary: "simulated", args: []string{"-test.v"}},
		}
	}
	return []step{
		{binary: "speed", args: benchmark("Steady", "150ms")},
		{binary: "speed", args: benchmark("First", "100ms")},
		{binary: "speed", args: benchmark("Growth|Goodbye", "100ms")},
		{binary: "speed", args: benchmark("Cores", "500ms")},
		{binary: "speed", args: benchmark("Hold", "4s")},
		{binary: "speed", args: benchmark("Heap", "1x"), once: true},
		{binary: "simulated", args: []string{"-test.v", "-test.run=Flush|Churn|Storm"}},
		{binary: "simulated", args: []string{"-test.v", "-test.run=Dead|Scenes|Exporter"}, once: true},
	}
}

func newMeasuring(o options, raw io.Writer) (*measuring, error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	m := &measuring{options: o, raw: raw, dir: dir, results: report.Results{}}
	for _, pkg := range []string{"speed", "simulated"} {
		// The tag lets streamaggr's cached clock follow the simulated one. Where
		// the clock is real, that would make it slower than it is.
		args := []string{"test", "-c", "-o", m.binary(pkg)}
		if pkg == "simulated" {
			args = append(args, "-tags=synctest")
		}
		build := exec.Command("go", append(args, "./"+pkg)...)
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return nil, errors.Join(fmt.Errorf("build %s: %w", pkg, err), m.close())
		}
	}
	return m, nil
}

func (m *measuring) binary(name string) string { return filepath.Join(m.dir, name+".test") }

func (m *measuring) close() error { return os.RemoveAll(m.dir) }

func (m *measuring) round(n int) error {
	for _, s := range steps(m.quick) {
		if s.once && n > 0 {
			continue
		}
		if err := m.step(s); err != nil {
			return err
		}
	}
	return m.collectors()
}

func (m *measuring) step(s step) error {
	args := s.args
	if !m.quick {
		args = append(args, "-full")
	}
	cmd := exec.Command(m.binary(s.binary), args...)
	cmd.Dir = s.binary
	var out bytes.Buffer
	cmd.Stdout = io.MultiWriter(&out, m.raw, os.Stderr)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %v: %w", s.binary, s.args, err)
	}
	outcomes, err := report.Outcomes(out.String())
	if err != nil {
		return err
	}
	m.outcomes = append(m.outcomes, outcomes...)
	return m.results.Read(&out)
}
