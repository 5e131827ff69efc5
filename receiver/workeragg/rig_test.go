package workeragg

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/receiver"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/otelcol-workers/otelcol-workers/receiver/workeragg/internal/metadatatest"
)

// rig is a receiver on ephemeral ports of the loopback, with sinks behind it.
type rig struct {
	t         *testing.T
	receiver  *workerReceiver
	telemetry *componenttest.Telemetry
	logs      *observer.ObservedLogs
	metrics   *pipeline
	traces    *consumertest.TracesSink
	logsSink  *consumertest.LogsSink
	grpcAddr  string
	httpURL   string
	stop      func() error
}

// pipeline is a metrics sink that answers as the test says.
type pipeline struct {
	consumertest.MetricsSink
	mu     sync.Mutex
	answer func(pmetric.Metrics) error
}

func (p *pipeline) ConsumeMetrics(ctx context.Context, md pmetric.Metrics) error {
	p.mu.Lock()
	answer := p.answer
	p.mu.Unlock()
	if answer != nil {
		if err := answer(md); err != nil {
			return err
		}
	}
	return p.MetricsSink.ConsumeMetrics(ctx, md)
}

func (p *pipeline) answers(answer func(pmetric.Metrics) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answer = answer
}

func (p *pipeline) refuses(err error) {
	p.answers(func(pmetric.Metrics) error { return err })
}

type rigOption func(*rigSetup)

type rigSetup struct {
	cfg       *Config
	host      component.Host
	noMetrics bool
}

func withConfig(change func(*Config)) rigOption { return func(s *rigSetup) { change(s.cfg) } }
func withHost(host component.Host) rigOption    { return func(s *rigSetup) { s.host = host } }
func withoutMetrics() rigOption                 { return func(s *rigSetup) { s.noMetrics = true } }

func ephemeral() *Config {
	cfg := createDefaultConfig().(*Config)
	cfg.Protocols.GRPC.Get().NetAddr.Endpoint = "127.0.0.1:0"
	cfg.Protocols.HTTP.Get().ServerConfig.NetAddr.Endpoint = "127.0.0.1:0"
	return cfg
}

func newRig(t *testing.T, options ...rigOption) *rig {
	t.Helper()
	setup := &rigSetup{cfg: ephemeral(), host: componenttest.NewNopHost()}
	for _, option := range options {
		option(setup)
	}
	r := &rig{t: t, telemetry: componenttest.NewTelemetry(), metrics: &pipeline{},
		traces: new(consumertest.TracesSink), logsSink: new(consumertest.LogsSink)}
	set := metadatatest.NewSettings(r.telemetry)
	var core zapcore.Core
	core, r.logs = observer.New(zap.DebugLevel)
	set.Logger = zap.New(core)

	started := r.build(setup, set)
	for _, c := range started {
		require.NoError(t, c.Start(context.Background(), setup.host))
	}
	r.grpcAddr = r.listening("Starting GRPC server")
	r.httpURL = "http://" + r.listening("Starting HTTP server")
	r.stop = sync.OnceValue(func() error {
		for _, c := range started {
			if err := c.Shutdown(context.Background()); err != nil {
				return err
			}
		}
		return r.telemetry.Shutdown(context.Background())
	})
	t.Cleanup(func() { require.NoError(t, r.stop()) })
	return r
}

func (r *rig) build(setup *rigSetup, set receiver.Settings) []component.Component {
	factory := NewFactory()
	traces, err := factory.CreateTraces(context.Background(), set, setup.cfg, r.traces)
	require.NoError(r.t, err)
	logs, err := factory.CreateLogs(context.Background(), set, setup.cfg, r.logsSink)
	require.NoError(r.t, err)
	all := []component.Component{traces, logs}
	if !setup.noMetrics {
		metrics, err := factory.CreateMetrics(context.Background(), set, setup.cfg, consumer.Metrics(r.metrics))
		require.NoError(r.t, err)
		all = append(all, metrics)
	}
	r.receiver = traces.(*workerReceiver)
	return all
}

// listening is the address that the stock receiver says it has opened.
func (r *rig) listening(message string) string {
	for _, entry := range r.logs.FilterMessage(message).All() {
		return entry.ContextMap()["endpoint"].(string)
	}
	return ""
}

func (r *rig) dial() *grpc.ClientConn {
	r.t.Helper()
	conn, err := grpc.NewClient(r.grpcAddr, grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(r.t, err)
	r.t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// refusing refuses all traces.
type refusing struct{ err error }

func (refusing) Capabilities() consumer.Capabilities                  { return consumer.Capabilities{} }
func (r refusing) ConsumeTraces(context.Context, ptrace.Traces) error { return r.err }

// carriedSink checks that what it gets can be carried on.
type carriedSink struct{}

func (carriedSink) Capabilities() consumer.Capabilities { return consumer.Capabilities{} }
func (carriedSink) ConsumeMetrics(_ context.Context, md pmetric.Metrics) error {
	wire, err := new(pmetric.ProtoMarshaler).MarshalMetrics(md)
	if err == nil {
		_, err = new(pmetric.ProtoUnmarshaler).UnmarshalMetrics(wire)
	}
	return err
}
