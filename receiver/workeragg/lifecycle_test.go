package workeragg

import (
	"context"
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componentstatus"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/config/configmiddleware"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/receiver/receivertest"

	"github.com/otelcol-workers/otelcol-workers/receiver/workeragg/internal/metadata"
)

func TestOneConfigurationIsOneReceiver(t *testing.T) {
	ctx, cfg, set := context.Background(), ephemeral(), receivertest.NewNopSettings(metadata.Type)
	factory := NewFactory()
	metrics, err := factory.CreateMetrics(ctx, set, cfg, consumertest.NewNop())
	require.NoError(t, err)
	traces, err := factory.CreateTraces(ctx, set, cfg, consumertest.NewNop())
	require.NoError(t, err)
	assert.Same(t, metrics, traces)
	second, err := factory.CreateLogs(ctx, set, ephemeral(), consumertest.NewNop())
	require.NoError(t, err)
	assert.NotSame(t, metrics, second)

	require.NoError(t, metrics.Shutdown(ctx))
	require.NoError(t, traces.Shutdown(ctx), "once is enough")
	require.NoError(t, second.Shutdown(ctx))
	again, err := factory.CreateMetrics(ctx, set, cfg, consumertest.NewNop())
	require.NoError(t, err)
	assert.NotSame(t, metrics, again)
	require.NoError(t, again.Shutdown(ctx))
}

func TestTheUsersConfigurationIsNotWrittenTo(t *testing.T) {
	cfg := ephemeral()
	users := make([]configmiddleware.Config, 0, 8)
	cfg.Protocols.GRPC.Get().Middlewares = users
	cfg.Protocols.HTTP.Get().ServerConfig.Middlewares = users
	r := newRig(t, withConfig(func(c *Config) { *c = *cfg }))
	require.NoError(t, r.stop())
	assert.Empty(t, cfg.Protocols.GRPC.Get().Middlewares)
	assert.Empty(t, users[:1][0], "nor to the array behind it")
}

// What Start has opened before it fails is closed again.
func TestAFailedStartLeavesNothingOpen(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = taken.Close() }()
	for name, change := range map[string]func(*Config){
		"http port taken": func(c *Config) { c.Protocols.HTTP.Get().ServerConfig.NetAddr.Endpoint = taken.Addr().String() },
		"grpc port taken": func(c *Config) { c.Protocols.GRPC.Get().NetAddr.Endpoint = taken.Addr().String() },
		"unknown middleware": func(c *Config) {
			c.Protocols.HTTP.Get().ServerConfig.Middlewares = []configmiddleware.Config{{ID: guardID}}
		},
		"no certificate": func(c *Config) {
			c.Protocols.GRPC.Get().TLS = newAuthority(t).server(nil)
			c.Protocols.GRPC.Get().TLS.Get().ClientCAFile = "/nowhere/clients.crt"
		},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := ephemeral()
			cfg.ConnectionLiveness.Enabled = true
			change(cfg)
			r, err := NewFactory().CreateMetrics(t.Context(), receivertest.NewNopSettings(metadata.Type), cfg, consumertest.NewNop())
			require.NoError(t, err)
			require.Error(t, r.Start(t.Context(), componenttest.NewNopHost()))
			require.NoError(t, r.Shutdown(t.Context()))
		})
	}
}

func TestStartSaysWhatIsInEffect(t *testing.T) {
	r := newRig(t, watching(0))
	entries := r.logs.FilterMessage("Listening for workers").All()
	require.Len(t, entries, 1, "once, not once per signal")
	fields := entries[0].ContextMap()
	assert.Equal(t, "127.0.0.1:0", fields["grpc"])
	assert.Equal(t, "127.0.0.1:0", fields["http"])
	assert.Equal(t, true, fields["metrics"])
	assert.Equal(t, "x-worker-id", fields["identity::header"])
	assert.Equal(t, false, fields["identity::peer_address"])
	assert.Equal(t, true, fields["connection_liveness::enabled"])
	assert.EqualValues(t, 100_000, fields["max_workers"])
}

func TestTheReceiverForgetsAllAtShutdownAndStartsAnew(t *testing.T) {
	r := newRig(t)
	r.post(counter(labels{"worker.id": "w"}, at(1), at(2), 1), asBinary, nil)
	require.Equal(t, 1, r.receiver.registry.Len())
	require.NoError(t, r.stop())
	assert.Zero(t, r.receiver.registry.Len())

	// A receiver that has forgotten does the right thing with the next push and signal.
	r = newRig(t)
	require.Equal(t, 202, r.put("w", `{"state": "running"}`).code)
	r.post(counter(labels{"worker.id": "w", "service.name": "web"}, at(1), at(3), 2), asBinary, nil)
	require.Equal(t, 200, r.put("w", `{"state": "terminated"}`).code)
	assert.Equal(t, map[string]any{"worker.id": "w", "service.name": "web"}, r.told()[1].resource)
}

type reportingHost struct {
	hostWith
	events []*componentstatus.Event
}

func (h *reportingHost) Report(e *componentstatus.Event) { h.events = append(h.events, e) }

func TestTheStockReceiversStatusReachesTheHost(t *testing.T) {
	host := &reportingHost{}
	event := componentstatus.NewFatalErrorEvent(net.ErrClosed)
	componentstatus.ReportStatus(&hostWithOurs{Host: host}, event)
	assert.Equal(t, []*componentstatus.Event{event}, host.events)
}

func TestLivenessWithoutMetricsPipelineIsSaid(t *testing.T) {
	r := newRig(t, watching(0), withoutMetrics())
	assert.Len(t, r.logs.FilterMessageSnippet("connection_liveness does nothing").All(), 1)
}
