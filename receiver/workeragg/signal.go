package workeragg

import (
	"context"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
	"github.com/otelcol-workers/otelcol-workers/receiver/workeragg/internal/registry"
)

// Where a signal came from: the values of the telemetry's source attribute.
const (
	sourceInBand     = "in_band"
	sourceHeader     = "header"
	sourceHTTP       = "http"
	sourceConnection = "connection"
)

// signal is a lifecycle signal, its source and the life it is about, nil if
// the registry knows none.
type signal struct {
	lifecycle.Signal
	source string
	life   *registry.Worker
}

// reasonOf is why a state was reached when nobody says.
func reasonOf(state lifecycle.State, otherwise string) string {
	if state == lifecycle.Terminated {
		return otherwise
	}
	return ""
}

func timestamp() pcommon.Timestamp { return pcommon.NewTimestampFromTime(time.Now()) }

// asMetrics makes a request of its own of a signal.
func (s signal) asMetrics(resource pcommon.Resource) pmetric.Metrics {
	md := pmetric.NewMetrics()
	rm := md.ResourceMetrics().AppendEmpty()
	resource.CopyTo(rm.Resource())
	s.AppendTo(rm)
	return md
}

// send hands signals to the pipeline, in a request that may hold data too, and
// takes note of what it says.
func (r *workerReceiver) send(ctx context.Context, md pmetric.Metrics, signals ...signal) error {
	for _, s := range signals {
		r.telemetry.WorkeraggSignals.Add(ctx, 1, signalOptions[s.source][s.State])
	}
	if err := r.nextMetrics.ConsumeMetrics(ctx, md); err != nil {
		r.countFenced(ctx, err)
		return err
	}
	for _, s := range signals {
		if s.life != nil {
			r.registry.Applied(s.life, s.Signal, s.source)
		}
	}
	return nil
}

func (r *workerReceiver) countFenced(ctx context.Context, err error) {
	if isFenced(err) {
		r.telemetry.WorkeraggFenced.Add(ctx, 1)
	}
}

// signalOptions are the attributes of workeragg_signals, made once.
var signalOptions = func() map[string][]metric.AddOption {
	options := map[string][]metric.AddOption{}
	for _, source := range []string{sourceInBand, sourceHeader, sourceHTTP, sourceConnection} {
		for state := lifecycle.Running; state <= lifecycle.Terminated; state++ {
			options[source] = append(options[source], metric.WithAttributeSet(attribute.NewSet(
				attribute.String("source", source), attribute.String("state", state.String()))))
		}
	}
	return options
}()
