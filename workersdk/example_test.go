package workersdk_test

import (
	"context"
	"errors"
	"log"
	"os/signal"
	"syscall"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"

	"github.com/otelcol-workers/otelcol-workers/workersdk"
)

// A worker that counts jobs until it is told to stop. Its last counts and its
// goodbye reach the collector before it exits.
func Example() {
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	exporter, err := otlpmetricgrpc.New(ctx, otlpmetricgrpc.WithInsecure())
	if err != nil {
		log.Fatal(err)
	}
	reader := workersdk.NewReader(exporter, workersdk.WithInterval(10*time.Second))
	provider := sdkmetric.NewMeterProvider(
		sdkmetric.WithResource(workersdk.Resource(attribute.String("service.name", "shop"))),
		sdkmetric.WithReader(reader))
	jobs, err := provider.Meter("shop").Int64Counter("shop.jobs")
	if err != nil {
		log.Fatal(err)
	}

	for ctx.Err() == nil {
		jobs.Add(ctx, 1)
		time.Sleep(time.Second) // the work
	}
	cancel() // a second signal kills

	// Not ctx: it has ended, and the goodbye needs time of its own.
	if err := provider.Shutdown(context.Background()); err != nil {
		log.Print(err)
	}
}

// A goodbye that nobody acknowledged can be said again, until there is no time left.
func ExampleReader_Shutdown() {
	exporter, err := otlpmetrichttp.New(context.Background(), otlpmetrichttp.WithInsecure())
	if err != nil {
		log.Fatal(err)
	}
	reader := workersdk.NewReader(exporter)
	provider := sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))

	deadline := time.Now().Add(25 * time.Second)
	err = provider.Shutdown(context.Background())
	for errors.Is(err, workersdk.ErrNotAcknowledged) && time.Now().Before(deadline) {
		time.Sleep(time.Second)
		err = reader.Shutdown(context.Background())
	}
	if err != nil {
		log.Print(err)
	}
}

// A worker under a name that it keeps over restarts. Its lives are told apart by
// the incarnation that Resource generates.
func ExampleResource() {
	_ = workersdk.Resource(
		attribute.String("service.name", "shop"),
		attribute.String("worker.id", "host-7/mailer"))
}

// Before a deploy, a worker announces that it takes no new jobs, finishes those
// that it has, and only then says goodbye.
func ExampleReader_Quiet() {
	exporter, err := otlpmetricgrpc.New(context.Background(), otlpmetricgrpc.WithInsecure())
	if err != nil {
		log.Fatal(err)
	}
	reader := workersdk.NewReader(exporter)
	provider := sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()

	if err := reader.Announce(ctx); err != nil {
		log.Print(err) // the next push says it again
	}
	// ... work, until told to drain ...
	if err := reader.Quiet(ctx); err != nil {
		log.Print(err)
	}
	// ... finish the jobs at hand ...
	if err := provider.Shutdown(ctx); err != nil {
		log.Print(err)
	}
}
