package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/otelcol-workers/otelcol-workers/e2e/chart"
	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
)

// record is what has been seen of the three totals.
type record struct {
	began               time.Time
	screen              *screen
	truth, ours         []chart.Point
	plain               []chart.Point
	marks               []chart.Mark
	oursFell, plainFell int
}

func (r *record) elapsed() time.Duration { return time.Since(r.began) }

func (r *record) add(truth, ours, plain float64) {
	now := r.elapsed().Seconds()
	add := func(points *[]chart.Point, v float64, fell *int) {
		if n := len(*points); n > 0 && v < (*points)[n-1].Value {
			*fell++
		}
		*points = append(*points, chart.Point{Seconds: now, Value: v})
	}
	var never int
	add(&r.truth, truth, &never)
	add(&r.ours, ours, &r.oursFell)
	add(&r.plain, plain, &r.plainFell)
	r.screen.show(r)
}

func (r *record) happened(worker int, f fate) {
	at := r.elapsed().Seconds()
	r.marks = append(r.marks, chart.Mark{Seconds: at, Symbol: f.symbol, Text: f.text, Colour: f.colour})
	r.screen.tell(fmt.Sprintf("%5.1f s  worker %d %s", at, worker, f.text))
}

// settle waits until our total is the true one; nobody works any more.
func (r *record) settle(ctx context.Context, c *collector.Collector, crew *crew) error {
	for deadline := time.Now().Add(patience); ; {
		ours, plain, err := shown(ctx, c)
		if err != nil {
			return err
		}
		if ours == crew.total() || time.Now().After(deadline) {
			r.add(crew.total(), ours, plain)
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pushes):
		}
	}
}

func (r *record) draw(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	picture := chart.Chart{
		Title:    "Five workers count jobs, die and are replaced",
		Subtitle: "sum(jobs_done_total), as scraped from Prometheus endpoints",
		Lines: []chart.Line{
			{Name: "true total", Colour: "#a8b1bb", Width: 9, Points: r.truth},
			{Name: "otelcol-workers", Colour: "#0969da", Width: 2.5, Points: r.ours},
			{Name: "plain OTLP to Prometheus", Colour: "#cf222e", Width: 2, Points: r.plain},
		},
		Marks: r.marks,
	}
	return errors.Join(picture.Write(f), f.Close())
}

// conclude says how it ended. The error says so if our total was wrong.
func (r *record) conclude(w io.Writer, svg string) error {
	truth, ours, plain := last(r.truth), last(r.ours), last(r.plain)
	fmt.Fprintf(w, "\n  true total        %7.0f\n  otelcol-workers   %7.0f   %s\n  plain pipeline    %7.0f   %s\n\n%s\n",
		truth, ours, fell(r.oursFell), plain, fell(r.plainFell), setup)
	if svg != "" {
		fmt.Fprintf(w, "The picture is in %s.\n", svg)
	}
	if ours != truth || r.oursFell > 0 {
		return fmt.Errorf("our total is %.0f and fell %d times, expected %.0f and never", ours, r.oursFell, truth)
	}
	return nil
}

func last(points []chart.Point) float64 { return points[len(points)-1].Value }
