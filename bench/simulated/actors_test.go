//go:build synctest

package simulated

import (
	"testing"

	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/contender"
)

// actors are the tools as one would set them up: a worker silent for a minute
// is dead, output comes every 15 seconds where it does not come at once.
var actors = []struct {
	name  string
	build func(*testing.T) (actor, error)
}{
	{"ours", oursActor},
	{"trio", func(*testing.T) (actor, error) {
		return newPipelineActor(func() (*contender.Pipeline, error) {
			return contender.NewTrio(map[string]any{"max_staleness": "60s"}, map[string]any{"max_stale": "60s"})
		})
	}},
	{"streamaggr, default", func(*testing.T) (actor, error) { return newSamplesActor("") }},
	{"streamaggr, first values kept", func(*testing.T) (actor, error) { return newSamplesActor(countFirst) }},
	{"metricstransform", func(*testing.T) (actor, error) {
		return newPipelineActor(func() (*contender.Pipeline, error) { return contender.NewTransform(nil) })
	}},
}

// pipelineActor is a tool made of processors.
type pipelineActor struct {
	build func() (*contender.Pipeline, error)
	p     *contender.Pipeline
}

func newPipelineActor(build func() (*contender.Pipeline, error)) (*pipelineActor, error) {
	a := &pipelineActor{build: build}
	return a, a.open()
}

func (a *pipelineActor) open() (err error) {
	if a.p, err = a.build(); err == nil {
		a.p.Record(true)
	}
	return err
}

func (a *pipelineActor) consume(md pmetric.Metrics) error { return a.p.Consume(md) }
func (a *pipelineActor) read() float64                    { return total(a.p.Sink.Totals()) }
func (a *pipelineActor) stop() error                      { return a.p.Stop() }

func (a *pipelineActor) restart() error {
	if err := a.p.Stop(); err != nil {
		return err
	}
	return a.open()
}

// samplesActor is streamaggr, which takes samples.
type samplesActor struct {
	settings string
	aggr     *contender.Streamaggr
}

func newSamplesActor(settings string) (*samplesActor, error) {
	a := &samplesActor{settings: settings}
	return a, a.restart()
}

func (a *samplesActor) restart() (err error) {
	if a.aggr != nil {
		a.aggr.Totals()
	}
	a.aggr, err = contender.NewStreamaggr("interval: 15s, staleness_interval: 60s" + a.settings)
	return err
}

func (a *samplesActor) consume(md pmetric.Metrics) error {
	a.aggr.Prepare(md)
	return a.aggr.Push()
}

func (a *samplesActor) read() float64 { return total(a.aggr.Seen()) }

func (a *samplesActor) stop() error {
	a.aggr.Totals()
	return nil
}
