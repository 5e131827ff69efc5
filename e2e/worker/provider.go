package worker

import (
	"context"
	"fmt"
	"os"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
)

const (
	// A worker that was stopped for a while finds all its timers expired. Long
	// ones keep a push that was under way alive, so that its outcome is known.
	pushTimeout = 10 * time.Minute
	// Pushes happen when the parent or the heartbeat says so.
	never = 24 * time.Hour
)

func newProvider(ctx context.Context, s Settings) (*metric.MeterProvider, error) {
	detectors := []resource.Option{resource.WithTelemetrySDK(), resource.WithFromEnv()}
	if s.Detect {
		detectors = append(detectors, resource.WithHost(), resource.WithProcessPID())
	}
	res, err := resource.New(ctx, detectors...)
	if err != nil {
		return nil, err
	}
	exporter, err := newExporter(ctx)
	if err != nil {
		return nil, err
	}
	options := []metric.Option{metric.WithResource(res), reader(exporter)}
	if s.Also != "" {
		also, err := otlpmetricgrpc.New(ctx, append(grpcOptions(), otlpmetricgrpc.WithEndpointURL(s.Also))...)
		if err != nil {
			return nil, err
		}
		options = append(options, reader(also))
	}
	return metric.NewMeterProvider(options...), nil
}

func reader(exporter metric.Exporter) metric.Option {
	return metric.WithReader(metric.NewPeriodicReader(exporter,
		metric.WithInterval(never), metric.WithTimeout(pushTimeout)))
}

func newExporter(ctx context.Context) (metric.Exporter, error) {
	switch protocol := os.Getenv("OTEL_EXPORTER_OTLP_PROTOCOL"); protocol {
	case "grpc":
		return otlpmetricgrpc.New(ctx, grpcOptions()...)
	case "http/protobuf":
		return otlpmetrichttp.New(ctx,
			otlpmetrichttp.WithTimeout(pushTimeout),
			otlpmetrichttp.WithRetry(otlpmetrichttp.RetryConfig{
				Enabled: true, InitialInterval: firstRetry, MaxInterval: slowestRetry, MaxElapsedTime: pushTimeout,
			}))
	default:
		return nil, fmt.Errorf("worker: OTEL_EXPORTER_OTLP_PROTOCOL is %q, expected grpc or http/protobuf", protocol)
	}
}

// SDKs wait 5 s before the first retry; a test has no time for that.
const firstRetry, slowestRetry = 50 * time.Millisecond, time.Second

func grpcOptions() []otlpmetricgrpc.Option {
	return []otlpmetricgrpc.Option{
		otlpmetricgrpc.WithTimeout(pushTimeout),
		otlpmetricgrpc.WithRetry(otlpmetricgrpc.RetryConfig{
			Enabled: true, InitialInterval: firstRetry, MaxInterval: slowestRetry, MaxElapsedTime: pushTimeout,
		}),
	}
}
