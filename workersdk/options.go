package workersdk

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"go.opentelemetry.io/otel"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
)

// Option changes what [NewReader] makes.
type Option func(*config)

type config struct {
	interval time.Duration
	timeout  time.Duration
	reader   []sdkmetric.ManualReaderOption
}

// WithInterval sets the time between two pushes. The default is the environment
// variable OTEL_METRIC_EXPORT_INTERVAL, in milliseconds, or one minute. A value
// that is not above 0 is ignored.
func WithInterval(d time.Duration) Option {
	return func(c *config) {
		if d > 0 {
			c.interval = d
		}
	}
}

// WithTimeout sets how long one push, and a Shutdown whose context has no
// deadline, may take. The default is the environment variable
// OTEL_METRIC_EXPORT_TIMEOUT, in milliseconds, or 30 seconds. A value that is
// not above 0 is ignored.
func WithTimeout(d time.Duration) Option {
	return func(c *config) {
		if d > 0 {
			c.timeout = d
		}
	}
}

// WithReaderOptions passes options on to the SDK's reader, such as
// [sdkmetric.WithProducer]. Temporality and aggregation cannot be set: the one
// is always cumulative, the other is the exporter's.
func WithReaderOptions(options ...sdkmetric.ManualReaderOption) Option {
	return func(c *config) { c.reader = append(c.reader, options...) }
}

func newConfig(options []Option) config {
	c := config{
		interval: milliseconds("OTEL_METRIC_EXPORT_INTERVAL", time.Minute),
		timeout:  milliseconds("OTEL_METRIC_EXPORT_TIMEOUT", 30*time.Second),
	}
	for _, o := range options {
		o(&c)
	}
	return c
}

// milliseconds reads an environment variable that the OpenTelemetry
// specification gives in milliseconds.
func milliseconds(name string, otherwise time.Duration) time.Duration {
	value := os.Getenv(name)
	if value == "" {
		return otherwise
	}
	ms, err := strconv.Atoi(value)
	if err != nil || ms <= 0 {
		otel.Handle(fmt.Errorf("workersdk: %s is %q, expected a number of milliseconds above 0; using %v", name, value, otherwise))
		return otherwise
	}
	return time.Duration(ms) * time.Millisecond
}
