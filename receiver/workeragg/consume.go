package workeragg

import (
	"context"

	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// mutates says that our consumers write into what the stock receiver hands them.
var mutates = consumer.WithCapabilities(consumer.Capabilities{MutatesData: true})

func (r *workerReceiver) consumeMetrics(ctx context.Context, md pmetric.Metrics) error {
	if p := pushFrom(ctx); p != nil {
		for _, rm := range md.ResourceMetrics().All() {
			p.identify(rm.Resource())
		}
	}
	return r.nextMetrics.ConsumeMetrics(ctx, md)
}

func (r *workerReceiver) consumeTraces(ctx context.Context, td ptrace.Traces) error {
	if p := pushFrom(ctx); p != nil {
		for _, rs := range td.ResourceSpans().All() {
			p.identify(rs.Resource())
		}
	}
	return r.nextTraces.ConsumeTraces(ctx, td)
}

func (r *workerReceiver) consumeLogs(ctx context.Context, ld plog.Logs) error {
	if p := pushFrom(ctx); p != nil {
		for _, rl := range ld.ResourceLogs().All() {
			p.identify(rl.Resource())
		}
	}
	return r.nextLogs.ConsumeLogs(ctx, ld)
}
