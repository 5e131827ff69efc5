package workeragg

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
	"go.opentelemetry.io/collector/receiver/receivertest"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/otelcol-workers/otelcol-workers/receiver/workeragg/internal/metadata"
)

// payload is a push of n points in ten metrics, of one worker.
func payload(n int) pmetric.Metrics {
	md := pmetric.NewMetrics()
	rm := md.ResourceMetrics().AppendEmpty()
	for _, key := range []string{"service.name", "service.namespace", "service.instance.id", "host.name",
		"telemetry.sdk.name", "telemetry.sdk.language", "telemetry.sdk.version", "k8s.pod.uid"} {
		rm.Resource().Attributes().PutStr(key, "value of "+key)
	}
	rm.Resource().Attributes().PutInt("process.pid", 42)
	metrics := rm.ScopeMetrics().AppendEmpty().Metrics()
	for i := range 10 {
		m := metrics.AppendEmpty()
		m.SetName(fmt.Sprint("metric.", i))
		sum := m.SetEmptySum()
		sum.SetIsMonotonic(true)
		sum.SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
		for j := range n / 10 {
			dp := sum.DataPoints().AppendEmpty()
			dp.SetStartTimestamp(at(1))
			dp.SetTimestamp(at(2))
			dp.SetIntValue(int64(j))
			dp.Attributes().PutStr("route", fmt.Sprint("/", j))
			dp.Attributes().PutStr("method", "GET")
			dp.Attributes().PutInt("status", 200)
		}
	}
	return md
}

// BenchmarkPush is a push of 1,000 points over gRPC, end to end: the stock
// receiver, ours without headers, and ours with the header of an id.
//
//	go test -run '^$' -bench Push -benchtime 2s -count 5 ./receiver/workeragg
func BenchmarkPush(b *testing.B) {
	stock := func() component.Config {
		c := ephemeral()
		return &c.Config
	}
	ours := func() component.Config { return ephemeral() }
	for _, test := range []struct {
		name    string
		factory receiver.Factory
		cfg     component.Config
		headers labels
	}{
		{"stock", otlpreceiver.NewFactory(), stock(), nil},
		{"workeragg", NewFactory(), ours(), nil},
		{"workeragg and id header", NewFactory(), ours(), labels{"x-worker-id": "w"}},
	} {
		b.Run(test.name, func(b *testing.B) {
			sink := new(countingSink)
			set := receivertest.NewNopSettings(test.factory.Type())
			core, logs := observer.New(zap.InfoLevel)
			set.Logger = zap.New(core)
			r, err := test.factory.CreateMetrics(b.Context(), set, test.cfg, sink)
			require.NoError(b, err)
			require.NoError(b, r.Start(b.Context(), componenttest.NewNopHost()))
			defer func() { require.NoError(b, r.Shutdown(context.Background())) }()
			addr := (&rig{logs: logs}).listening("Starting GRPC server")
			conn, err := grpc.NewClient(addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
			require.NoError(b, err)
			defer func() { _ = conn.Close() }()
			client, ctx := pmetricotlp.NewGRPCClient(conn), grpcContext(test.headers)
			request := pmetricotlp.NewExportRequestFromMetrics(payload(1000))
			b.ReportAllocs()
			for b.Loop() {
				_, err := client.Export(ctx, request)
				require.NoError(b, err)
			}
			require.Equal(b, 1000*b.N, sink.points)
		})
	}
}

// countingSink counts points, one request at a time.
type countingSink struct {
	points int
}

func (*countingSink) Capabilities() consumer.Capabilities { return consumer.Capabilities{} }

func (s *countingSink) ConsumeMetrics(_ context.Context, md pmetric.Metrics) error {
	s.points += md.DataPointCount()
	return nil
}

// What the receiver adds to the push of a worker that it knows does not grow
// with the number of points, and is next to nothing.
func TestAKnownWorkerCostsNoMemory(t *testing.T) {
	r, err := newReceiver(ephemeral(), receivertest.NewNopSettings(metadata.Type), func() {})
	require.NoError(t, err)
	require.NoError(t, r.attachMetrics(t.Context(), new(countingSink)))
	for _, n := range []int{10, 1000} {
		md, ctx := payload(n), withPush(t.Context(), &push{})
		allocs := testing.AllocsPerRun(100, func() { require.NoError(t, r.consumeMetrics(ctx, md)) })
		assert.LessOrEqual(t, allocs, 2.0)
	}
	require.NoError(t, r.Shutdown(context.Background()))
}

// BenchmarkConsume is what the receiver adds to a push of 1,000 points of a
// worker that it knows, beside the decoding of the same push.
//
//	go test -run '^$' -bench Consume ./receiver/workeragg
func BenchmarkConsume(b *testing.B) {
	wire, err := pmetricotlp.NewExportRequestFromMetrics(payload(1000)).MarshalProto()
	require.NoError(b, err)
	b.Run("decode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			require.NoError(b, pmetricotlp.NewExportRequest().UnmarshalProto(wire))
		}
	})
	for name, p := range map[string]*push{"add": {}, "add with id header": {workerID: "w"}} {
		b.Run(name, func(b *testing.B) {
			r, err := newReceiver(ephemeral(), receivertest.NewNopSettings(metadata.Type), func() {})
			require.NoError(b, err)
			sink := new(countingSink)
			require.NoError(b, r.attachMetrics(b.Context(), sink))
			md, ctx := payload(1000), withPush(b.Context(), p)
			b.ReportAllocs()
			for b.Loop() {
				if err := r.consumeMetrics(ctx, md); err != nil {
					b.Fatal(err)
				}
			}
			b.StopTimer()
			require.Equal(b, 1000*b.N, sink.points)
			require.NoError(b, r.Shutdown(context.Background()))
		})
	}
}
