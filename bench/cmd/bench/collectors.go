package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/whole"
)

// collectors loads the built collector in each variant, one after the other.
func (m *measuring) collectors() error {
	if _, err := os.Stat(m.collector); errors.Is(err, os.ErrNotExist) {
		fmt.Fprintf(os.Stderr, "the whole collector is not measured: %s does not exist, make build builds it\n", m.collector)
		return nil
	}
	load := whole.Load{Connections: 4, Workers: 5, Warmup: 50, Pushes: 400}
	if m.quick {
		load.Warmup, load.Pushes = 5, 20
	}
	for _, variant := range whole.Variants {
		res, err := whole.Run(m.collector, variant, load)
		if err != nil {
			return fmt.Errorf("%s: %w", variant, err)
		}
		name := "Whole/collector=" + variant
		fmt.Fprintf(m.raw, "Benchmark%s 1 %v points/s %v cpu-s/Mpoint\n", name, res.PointsPerSecond, res.CPUPerMillion)
		m.results.Add(name, "points/s", res.PointsPerSecond)
		m.results.Add(name, "cpu-s/Mpoint", res.CPUPerMillion)
	}
	return nil
}
