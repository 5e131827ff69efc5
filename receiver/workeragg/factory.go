package workeragg

import (
	"context"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/receiver"

	"github.com/otelcol-workers/otelcol-workers/receiver/workeragg/internal/metadata"
)

// NewFactory makes receivers of the type workeragg. All signals of one
// configuration share one receiver, and so its ports.
func NewFactory() receiver.Factory {
	return receiver.NewFactory(
		metadata.Type,
		createDefaultConfig,
		receiver.WithMetrics(createMetrics, metadata.MetricsStability),
		receiver.WithTraces(createTraces, metadata.TracesStability),
		receiver.WithLogs(createLogs, metadata.LogsStability),
	)
}

func createMetrics(ctx context.Context, set receiver.Settings, cfg component.Config, next consumer.Metrics) (receiver.Metrics, error) {
	return instances.attach(cfg.(*Config), set, func(r *workerReceiver) error { return r.attachMetrics(ctx, next) })
}

func createTraces(ctx context.Context, set receiver.Settings, cfg component.Config, next consumer.Traces) (receiver.Traces, error) {
	return instances.attach(cfg.(*Config), set, func(r *workerReceiver) error { return r.attachTraces(ctx, next) })
}

func createLogs(ctx context.Context, set receiver.Settings, cfg component.Config, next consumer.Logs) (receiver.Logs, error) {
	return instances.attach(cfg.(*Config), set, func(r *workerReceiver) error { return r.attachLogs(ctx, next) })
}
