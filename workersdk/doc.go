// Package workersdk lets a Go worker say goodbye: it takes the place of the
// OpenTelemetry SDK's periodic reader, and when the MeterProvider is shut down
// it sends the worker's last values and the word that it ends here in one
// request, and reports whether that was acknowledged.
//
//	exporter, err := otlpmetricgrpc.New(ctx)
//	...
//	reader := workersdk.NewReader(exporter)
//	provider := sdkmetric.NewMeterProvider(
//		sdkmetric.WithResource(workersdk.Resource(attribute.String("service.name", "shop"))),
//		sdkmetric.WithReader(reader))
//	...
//	err = provider.Shutdown(ctx) // nil: every count has arrived
//
// Any [sdkmetric.Exporter] will do; the goodbye is an ordinary gauge point,
// worker.state = 2, on the worker's own resource. A backend that does not know
// its meaning shows a gauge.
//
// What a worker that is killed without a goodbye has counted since its last
// push is lost, with this package as without it. Push more often to lose less.
package workersdk
