package whole

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
)

// Load is what a collector is given.
type Load struct {
	// Connections is how many push at once.
	Connections int
	// Workers is how many workers push over each connection in turn.
	Workers int
	// Warmup is how many pushes of 1,000 points go over each connection before
	// anything is timed, Pushes how many are timed.
	Warmup, Pushes int
}

// Result is what a collector made of a load.
type Result struct {
	// PointsPerSecond is its throughput.
	PointsPerSecond float64
	// CPUPerMillion is the processor time, in seconds, for a million points.
	CPUPerMillion float64
}

const pushPoints = 1000

// Run starts the variant, loads it and stops it. It is an error if the collector
// counts other points than were sent.
func Run(binary, variant string, load Load) (res Result, err error) {
	dir, err := os.MkdirTemp("", "whole")
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	c, err := startCollector(binary, variant, dir)
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, c.stop()) }()
	senders := make([]*sender, load.Connections)
	for i := range senders {
		f := payload.NewFleet(payload.Numbers(pushPoints), payload.Size{Workers: load.Workers})
		f.Name(fmt.Sprintf("c%d", i))
		pushes, err := encode(f, load.Warmup+load.Pushes)
		if err != nil {
			return res, err
		}
		conn, err := dial(c.endpoint())
		if err != nil {
			return res, err
		}
		defer conn.Close()
		senders[i] = &sender{conn: conn, pushes: pushes}
	}
	if err := send(senders, 0, load.Warmup); err != nil {
		return res, err
	}
	return timed(c, variant, senders, load)
}

func timed(c *collector, variant string, senders []*sender, load Load) (Result, error) {
	before, err := c.cpu()
	if err != nil {
		return Result{}, err
	}
	from := time.Now()
	if err := send(senders, load.Warmup, load.Warmup+load.Pushes); err != nil {
		return Result{}, err
	}
	took := time.Since(from)
	after, err := c.cpu()
	if err != nil {
		return Result{}, err
	}
	points := float64(load.Connections * load.Pushes * pushPoints)
	res := Result{PointsPerSecond: points / took.Seconds(), CPUPerMillion: (after - before).Seconds() / points * 1e6}
	return res, verify(c, variant, float64(load.Connections*(load.Warmup+load.Pushes)*pushPoints))
}

// verify asks the collector itself how many points it has taken, and in our
// variants how many of them went into totals.
func verify(c *collector, variant string, sent float64) error {
	got, err := c.counted("otelcol_receiver_accepted_metric_points", `transport="grpc"`)
	if err != nil {
		return err
	}
	if got != sent {
		return fmt.Errorf("%s: the receiver accepted %v points of %v", variant, got, sent)
	}
	if variant == "stock" {
		return nil
	}
	if got, err = c.counted("otelcol_deadworkerretain_points", `outcome="accepted"`); err != nil {
		return err
	}
	if got != sent {
		return fmt.Errorf("%s: the processor accepted %v points of %v", variant, got, sent)
	}
	return nil
}
