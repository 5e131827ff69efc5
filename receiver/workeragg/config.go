package workeragg

import (
	"errors"
	"fmt"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/config/configgrpc"
	"go.opentelemetry.io/collector/config/configoptional"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// Config is the receiver's configuration. The factory's default, `{}` in YAML,
// listens for gRPC on localhost:4317 and for HTTP on localhost:4318.
type Config struct {
	// Config is the stock OTLP receiver's: the whole `protocols` block. If it
	// names one protocol only, the other one is off.
	otlpreceiver.Config `mapstructure:",squash"`
	// Identity says where worker.id comes from when a resource names no worker.
	Identity IdentityConfig `mapstructure:"identity"`
	// ConnectionLiveness makes the end of a worker's last gRPC connection its death.
	ConnectionLiveness ConnectionLivenessConfig `mapstructure:"connection_liveness"`
	// MaxWorkers is the most lives that the registry remembers. Beyond it those
	// heard of longest ago are forgotten. At least 1.
	MaxWorkers int `mapstructure:"max_workers"`
	// ForgetAfter is how long the registry remembers a life that sends nothing
	// and has no open gRPC connection. At least 1s.
	ForgetAfter time.Duration `mapstructure:"forget_after"`

	// prevent unkeyed literal initialization
	_ struct{}
}

// IdentityConfig says where worker.id comes from when a resource has neither
// worker.id nor service.instance.id.
type IdentityConfig struct {
	// Header is the HTTP header and gRPC metadata key with the worker's id.
	// Empty: headers name no workers.
	Header string `mapstructure:"header"`
	// PeerAddress makes the peer's ip:port the worker.id of a resource that
	// names no worker in any way. A new connection is then a new worker.
	PeerAddress bool `mapstructure:"peer_address"`

	// prevent unkeyed literal initialization
	_ struct{}
}

// ConnectionLivenessConfig makes the end of a worker's last gRPC connection its
// death, reported as a guess that the worker's return undoes.
type ConnectionLivenessConfig struct {
	// Enabled turns it on. Leave it off where something between worker and
	// collector owns the connections.
	Enabled bool `mapstructure:"enabled"`
	// Grace is how long a worker may stay without a connection. Not below 0.
	Grace time.Duration `mapstructure:"grace"`

	// prevent unkeyed literal initialization
	_ struct{}
}

var _ confmap.Unmarshaler = (*Config)(nil)

func createDefaultConfig() component.Config {
	stock := otlpreceiver.NewFactory().CreateDefaultConfig().(*otlpreceiver.Config)
	stock.Protocols.GRPC.GetOrInsertDefault()
	stock.Protocols.HTTP.GetOrInsertDefault()
	return &Config{
		Config:             *stock,
		Identity:           IdentityConfig{Header: lifecycle.HeaderWorkerID},
		ConnectionLiveness: ConnectionLivenessConfig{Grace: 10 * time.Second},
		MaxWorkers:         100_000,
		ForgetAfter:        time.Hour,
	}
}

// Unmarshal reads the configuration over the defaults. As in the stock
// receiver, who names a protocol gets that one and no other.
func (c *Config) Unmarshal(conf *confmap.Conf) error {
	grpcSet, httpSet := conf.IsSet("protocols::grpc"), conf.IsSet("protocols::http")
	if grpcSet && !httpSet {
		c.Protocols.HTTP = configoptional.None[otlpreceiver.HTTPConfig]()
	}
	if httpSet && !grpcSet {
		c.Protocols.GRPC = configoptional.None[configgrpc.ServerConfig]()
	}
	return conf.Unmarshal(c)
}

// Validate reports every impossible value at once; each error names the key,
// the value and what is allowed. The protocols block validates itself.
func (c *Config) Validate() error {
	var errs []error
	if err := validHeader(c.Identity.Header); err != nil {
		errs = append(errs, err)
	}
	if c.ConnectionLiveness.Grace < 0 {
		errs = append(errs, fmt.Errorf("connection_liveness::grace is %v, expected 0s or more", c.ConnectionLiveness.Grace))
	}
	if c.ConnectionLiveness.Enabled && !c.Protocols.GRPC.HasValue() {
		errs = append(errs, errors.New("connection_liveness::enabled is true, expected false without protocols::grpc: only gRPC connections are watched"))
	}
	if c.MaxWorkers < 1 {
		errs = append(errs, fmt.Errorf("max_workers is %d, expected 1 or more", c.MaxWorkers))
	}
	if c.ForgetAfter < time.Second {
		errs = append(errs, fmt.Errorf("forget_after is %v, expected 1s or more", c.ForgetAfter))
	}
	return errors.Join(errs...)
}
