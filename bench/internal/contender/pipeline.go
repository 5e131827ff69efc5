package contender

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/processor"
	"go.opentelemetry.io/collector/processor/processortest"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
)

// Pipeline is one or more processors before a sink, run in this process.
type Pipeline struct {
	*Sink
	host    component.Host
	first   consumer.Metrics
	started []processor.Metrics
	work    pmetric.Metrics
}

// Stage is a processor of a pipeline and its configuration, as YAML would give it.
type Stage struct {
	Factory processor.Factory
	Config  map[string]any
	// Plain stands in for a processor of another kind.
	Plain func(next consumer.Metrics) consumer.Metrics
}

// NewPipeline builds and starts the stages in their order. The host has the
// extensions they may use.
func NewPipeline(host component.Host, stages ...Stage) (*Pipeline, error) {
	p := &Pipeline{Sink: NewSink(), host: host, work: pmetric.NewMetrics()}
	p.first = p.Sink
	for _, s := range slices.Backward(stages) {
		if err := p.prepend(s); err != nil {
			return nil, errors.Join(err, p.Stop())
		}
	}
	return p, nil
}

func (p *Pipeline) prepend(s Stage) error {
	if s.Plain != nil {
		p.first = s.Plain(p.first)
		return nil
	}
	cfg := s.Factory.CreateDefaultConfig()
	if err := confmap.NewFromStringMap(s.Config).Unmarshal(cfg); err != nil {
		return fmt.Errorf("%s: %w", s.Factory.Type(), err)
	}
	proc, err := s.Factory.CreateMetrics(context.Background(), processortest.NewNopSettings(s.Factory.Type()), cfg, p.first)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Factory.Type(), err)
	}
	if err := proc.Start(context.Background(), p.host); err != nil {
		return fmt.Errorf("%s: %w", s.Factory.Type(), err)
	}
	p.first = proc
	p.started = append(p.started, proc)
	return nil
}

// Prepare copies the push, because some processors change what they are given.
func (p *Pipeline) Prepare(md pmetric.Metrics) { md.CopyTo(p.work) }

// Push gives the prepared push to the first processor.
func (p *Pipeline) Push() error { return p.first.ConsumeMetrics(context.Background(), p.work) }

// Consume gives metrics to the first processor, which may change them.
func (p *Pipeline) Consume(md pmetric.Metrics) error {
	return p.first.ConsumeMetrics(context.Background(), md)
}

// Stop shuts all processors down, the first one first.
func (p *Pipeline) Stop() error {
	var errs []error
	for _, proc := range slices.Backward(p.started) {
		errs = append(errs, proc.Shutdown(context.Background()))
	}
	p.started = nil
	return errors.Join(errs...)
}

// Totals stops the pipeline and returns what it sent last.
func (p *Pipeline) Totals() payload.Totals {
	if err := p.Stop(); err != nil {
		return payload.Totals{"shutdown failed: " + err.Error(): 0}
	}
	return p.Sink.Totals()
}
