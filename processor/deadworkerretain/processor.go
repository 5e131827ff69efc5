package deadworkerretain

import (
	"context"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/processor"
)

type retain struct {
	next consumer.Metrics
}

func newProcessor(_ processor.Settings, _ *Config, next consumer.Metrics) (*retain, error) {
	return &retain{next: next}, nil
}

func (p *retain) Start(context.Context, component.Host) error { return nil }
func (p *retain) Shutdown(context.Context) error              { return nil }

func (p *retain) Capabilities() consumer.Capabilities {
	return consumer.Capabilities{MutatesData: false}
}

func (p *retain) ConsumeMetrics(context.Context, pmetric.Metrics) error { return nil }
