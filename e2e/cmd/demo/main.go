// Command demo shows what this project is for: real workers push to a plain
// OTLP-to-Prometheus pipeline and to ours, and die. Both totals are shown
// beside the true one, live, and drawn as SVG.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/worker"
)

func main() {
	worker.RunIfChild()
	binary := flag.String("collector", "", "path of the collector; empty: dist/otelcol-workers")
	svg := flag.String("svg", "", "file to draw the picture into; empty: none")
	flag.Parse()

	if err := run(*binary, *svg); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(binary, svg string) (err error) {
	ctx, stopListening := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stopListening()
	dir, err := os.MkdirTemp("", "otelcol-workers-demo")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	starting, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	c, err := collector.Start(starting, collector.Options{Binary: binary, Config: config, Dir: dir})
	if err != nil {
		return err
	}
	defer func() {
		if stopErr := stop(c); err == nil {
			err = stopErr
		}
	}()
	crew := newCrew(c)
	defer crew.killAll()
	for i := range crew.places {
		if err := crew.hire(ctx, i); err != nil {
			return err
		}
	}
	r := &record{began: time.Now(), screen: newScreen(os.Stdout)}
	if err := play(ctx, c, crew, r); err != nil {
		return err
	}
	if err := r.settle(ctx, c, crew); err != nil {
		return err
	}
	if svg != "" {
		if err := r.draw(svg); err != nil {
			return err
		}
	}
	return r.conclude(os.Stdout, svg)
}

func stop(c *collector.Collector) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	return c.Stop(ctx)
}
