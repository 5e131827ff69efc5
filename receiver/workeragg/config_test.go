package workeragg

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/confmaptest"
)

func load(t *testing.T, name string) *Config {
	t.Helper()
	all, err := confmaptest.LoadConf(filepath.Join("testdata", "config.yaml"))
	require.NoError(t, err)
	sub, err := all.Sub(name)
	require.NoError(t, err)
	cfg := NewFactory().CreateDefaultConfig()
	require.NoError(t, sub.Unmarshal(&cfg))
	require.NoError(t, confmap.Validate(cfg))
	return cfg.(*Config)
}

func TestConfigOfNothingListensOnBothPorts(t *testing.T) {
	for _, name := range []string{"workeragg", "workeragg/empty"} {
		cfg := load(t, name)
		require.True(t, cfg.Protocols.GRPC.HasValue(), name)
		require.True(t, cfg.Protocols.HTTP.HasValue(), name)
		assert.Equal(t, "localhost:4317", cfg.Protocols.GRPC.Get().NetAddr.Endpoint)
		assert.Equal(t, "localhost:4318", cfg.Protocols.HTTP.Get().ServerConfig.NetAddr.Endpoint)
		assert.Equal(t, "/v1/metrics", string(cfg.Protocols.HTTP.Get().MetricsURLPath))
		assert.Equal(t, IdentityConfig{Header: "x-worker-id"}, cfg.Identity)
		assert.Equal(t, ConnectionLivenessConfig{Grace: 10 * time.Second}, cfg.ConnectionLiveness)
		assert.Equal(t, 100_000, cfg.MaxWorkers)
		assert.Equal(t, time.Hour, cfg.ForgetAfter)
	}
}

func TestConfigOfOneProtocolLeavesTheOtherOff(t *testing.T) {
	cfg := load(t, "workeragg/one_protocol")
	require.True(t, cfg.Protocols.HTTP.HasValue())
	assert.Equal(t, "localhost:4318", cfg.Protocols.HTTP.Get().ServerConfig.NetAddr.Endpoint)
	assert.False(t, cfg.Protocols.GRPC.HasValue())
}

func TestConfigTakesTheStockBlockWhole(t *testing.T) {
	cfg := load(t, "workeragg/everything")
	grpcConfig, httpConfig := cfg.Protocols.GRPC.Get(), cfg.Protocols.HTTP.Get()
	assert.Equal(t, "localhost:14317", grpcConfig.NetAddr.Endpoint)
	assert.Equal(t, 8, grpcConfig.MaxRecvMsgSizeMiB)
	assert.Equal(t, 512*1024, grpcConfig.ReadBufferSize, "a default of the stock receiver")
	assert.Equal(t, time.Hour, grpcConfig.Keepalive.Get().ServerParameters.Get().MaxConnectionAge)
	assert.Equal(t, "/push/metrics", string(httpConfig.MetricsURLPath))
	assert.EqualValues(t, 1<<20, httpConfig.ServerConfig.MaxRequestBodySize)
	assert.Equal(t, []string{"https://*.example.com"}, httpConfig.ServerConfig.CORS.Get().AllowedOrigins)
	assert.Equal(t, IdentityConfig{Header: "x-slot", PeerAddress: true}, cfg.Identity)
	assert.Equal(t, ConnectionLivenessConfig{Enabled: true, Grace: 3 * time.Second}, cfg.ConnectionLiveness)
	assert.Equal(t, 500, cfg.MaxWorkers)
	assert.Equal(t, 10*time.Minute, cfg.ForgetAfter)
}

func TestConfigErrorsNameKeyValueAndAllowed(t *testing.T) {
	for want, yaml := range map[string]map[string]any{
		`identity::header is "x worker", expected a name of letters`:                   {"identity": map[string]any{"header": "x worker"}},
		`identity::header is "x-id-bin", expected a name`:                              {"identity": map[string]any{"header": "x-id-bin"}},
		`identity::header is "X-Worker-State", which has a meaning of its own`:         {"identity": map[string]any{"header": "X-Worker-State"}},
		`connection_liveness::grace is -1s, expected 0s or more`:                       {"connection_liveness": map[string]any{"grace": "-1s"}},
		`connection_liveness::enabled is true, expected false without protocols::grpc`: {"protocols": map[string]any{"http": nil}, "connection_liveness": map[string]any{"enabled": true}},
		`max_workers is 0, expected 1 or more`:                                         {"max_workers": 0},
		`forget_after is 20ms, expected 1s or more`:                                    {"forget_after": "20ms"},
	} {
		cfg := NewFactory().CreateDefaultConfig()
		require.NoError(t, confmap.NewFromStringMap(yaml).Unmarshal(&cfg))
		assert.ErrorContains(t, confmap.Validate(cfg), want)
	}
}

func TestConfigRefusesUnknownKeys(t *testing.T) {
	cfg := NewFactory().CreateDefaultConfig()
	err := confmap.NewFromStringMap(map[string]any{"identity": map[string]any{"heder": "x"}}).Unmarshal(&cfg)
	assert.ErrorContains(t, err, "heder")
}
