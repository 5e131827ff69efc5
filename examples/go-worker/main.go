// Command go-worker does one job for every line of its standard input, and says
// goodbye when the input ends or it is told to stop.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"

	"github.com/otelcol-workers/otelcol-workers/workersdk"
)

func main() {
	if err := run(os.Stdin); err != nil {
		log.Fatal(err)
	}
}

func run(input io.Reader) (err error) {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	// Where to push and how often comes from OTEL_EXPORTER_OTLP_ENDPOINT and
	// OTEL_METRIC_EXPORT_INTERVAL.
	exporter, err := otlpmetricgrpc.New(ctx)
	if err != nil {
		return err
	}
	reader := workersdk.NewReader(exporter)
	provider := sdkmetric.NewMeterProvider(
		sdkmetric.WithResource(workersdk.Resource(attribute.String("service.name", "mailer"))),
		sdkmetric.WithReader(reader))
	defer func() { err = errors.Join(err, goodbye(provider, reader)) }()

	jobs, err := provider.Meter("mailer").Int64Counter("mailer.jobs", metric.WithUnit("{job}"))
	if err != nil {
		return err
	}
	if err := reader.Announce(ctx); err != nil {
		log.Print(err) // the worker can work without the collector; the next push says it again
	}

	lines := read(input)
	for {
		select {
		case job, ok := <-lines:
			if !ok {
				return nil
			}
			jobs.Add(ctx, 1)
			fmt.Println("done:", job)
		case <-ctx.Done():
			return nil
		}
	}
}

// goodbye tries for as long as an orchestrator usually waits before it kills.
func goodbye(provider *sdkmetric.MeterProvider, reader *workersdk.Reader) error {
	ctx, cancel := context.WithTimeout(context.Background(), 25*time.Second)
	defer cancel()
	err := provider.Shutdown(ctx)
	for errors.Is(err, workersdk.ErrNotAcknowledged) && ctx.Err() == nil {
		time.Sleep(time.Second)
		err = reader.Shutdown(ctx)
	}
	return err
}

func read(input io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(input)
		for scanner.Scan() {
			lines <- scanner.Text()
		}
	}()
	return lines
}
