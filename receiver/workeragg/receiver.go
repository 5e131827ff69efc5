package workeragg

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
	"go.uber.org/zap"

	"github.com/otelcol-workers/otelcol-workers/receiver/workeragg/internal/metadata"
	"github.com/otelcol-workers/otelcol-workers/receiver/workeragg/internal/registry"
)

// workerReceiver is the stock OTLP receiver between two layers of ours: the
// hook sees each request before it, the consumers see the data after it.
type workerReceiver struct {
	cfg    *Config
	logger *zap.Logger

	stock    receiver.Factory
	stockCfg *otlpreceiver.Config
	stockSet receiver.Settings
	// inner holds the stock receiver once per signal. Underneath they are one,
	// which starts and stops once.
	inner []component.Component

	nextMetrics consumer.Metrics
	nextTraces  consumer.Traces
	nextLogs    consumer.Logs

	telemetry *metadata.TelemetryBuilder
	registry  *registry.Registry
	liveness  *liveness

	// extensions are ours, which the stock receiver finds beside the user's.
	extensions map[component.ID]component.Component

	startOnce sync.Once
	stopOnce  sync.Once
	forget    func()

	// patience is shutdownPatience, less in tests.
	patience    time.Duration
	httpServer  atomic.Pointer[http.Server]
	connections connections
	inside      gate

	stopping   atomic.Bool
	background sync.WaitGroup
	cancel     context.CancelFunc
}

func newReceiver(cfg *Config, set receiver.Settings, forget func()) (*workerReceiver, error) {
	r := &workerReceiver{
		cfg:      cfg,
		logger:   set.Logger,
		stock:    otlpreceiver.NewFactory(),
		stockCfg: hooked(cfg.Config),
		stockSet: set,
		forget:   forget,
		patience: shutdownPatience,
	}
	// A factory refuses ids of other types than its own.
	r.stockSet.ID = component.NewIDWithName(r.stock.Type(), set.ID.String())
	var err error
	if r.telemetry, err = metadata.NewTelemetryBuilder(set.TelemetrySettings); err != nil {
		return nil, err
	}
	r.registry = registry.New(cfg.MaxWorkers, cfg.ForgetAfter, registry.Events{
		Resized: func(by int64) { r.telemetry.WorkeraggWorkers.Add(context.Background(), by) },
		Lost:    r.lost,
	})
	r.liveness = &liveness{
		grace: cfg.ConnectionLiveness.Grace,
		died:  r.connectionLost,
		lost:  r.registry.Lost,
		wake:  make(chan struct{}, 1),
	}
	r.extensions = map[component.ID]component.Component{hookID: r.newHook(), doorID: r.newDoor()}
	return r, nil
}

func (r *workerReceiver) attachMetrics(ctx context.Context, next consumer.Metrics) error {
	r.nextMetrics = next
	ours, err := consumer.NewMetrics(r.consumeMetrics, mutates)
	if err != nil {
		return err
	}
	inner, err := r.stock.CreateMetrics(ctx, r.stockSet, r.stockCfg, ours)
	return r.attach(inner, err)
}

func (r *workerReceiver) attachTraces(ctx context.Context, next consumer.Traces) error {
	r.nextTraces = next
	ours, err := consumer.NewTraces(r.consumeTraces, mutates)
	if err != nil {
		return err
	}
	inner, err := r.stock.CreateTraces(ctx, r.stockSet, r.stockCfg, ours)
	return r.attach(inner, err)
}

func (r *workerReceiver) attachLogs(ctx context.Context, next consumer.Logs) error {
	r.nextLogs = next
	ours, err := consumer.NewLogs(r.consumeLogs, mutates)
	if err != nil {
		return err
	}
	inner, err := r.stock.CreateLogs(ctx, r.stockSet, r.stockCfg, ours)
	return r.attach(inner, err)
}

func (r *workerReceiver) attach(inner component.Component, err error) error {
	if err != nil {
		return fmt.Errorf("failed to make the stock OTLP receiver: %w", err)
	}
	r.inner = append(r.inner, inner)
	return nil
}

// Start opens the ports. It is called once per signal; the calls after the
// first only tell the stock receiver whom else to report its status to.
func (r *workerReceiver) Start(ctx context.Context, host component.Host) error {
	r.startOnce.Do(func() {
		r.guardHTTP(host.GetExtensions())
		r.startBackground()
	})
	if err := r.inner[0].Start(ctx, &hostWithOurs{Host: host, ours: r.extensions}); err != nil {
		return errors.Join(err, r.Shutdown(ctx))
	}
	return nil
}

// Shutdown answers the requests under way, waits a while for clients that have
// begun one, and closes the ports.
func (r *workerReceiver) Shutdown(ctx context.Context) error {
	var err error
	r.stopOnce.Do(func() {
		// The connections that we are about to close are no deaths.
		r.stopping.Store(true)
		r.stopBackground()
		err = r.stopServers(ctx)
		r.registry.Clear()
		r.telemetry.Shutdown()
		r.forget()
	})
	return err
}

// logSettings says what is in effect, so that a log file answers the question.
func (r *workerReceiver) logSettings() {
	fields := make([]zap.Field, 0, 8)
	if grpcConfig := r.cfg.Protocols.GRPC.Get(); grpcConfig != nil {
		fields = append(fields, zap.String("grpc", grpcConfig.NetAddr.Endpoint))
	}
	if httpConfig := r.cfg.Protocols.HTTP.Get(); httpConfig != nil {
		fields = append(fields, zap.String("http", httpConfig.ServerConfig.NetAddr.Endpoint))
	}
	r.logger.Info("Listening for workers", append(fields,
		zap.Bool("metrics", r.nextMetrics != nil),
		zap.Bool("traces", r.nextTraces != nil),
		zap.Bool("logs", r.nextLogs != nil),
		zap.String("identity::header", r.cfg.Identity.Header),
		zap.Bool("identity::peer_address", r.cfg.Identity.PeerAddress),
		zap.Bool("connection_liveness::enabled", r.cfg.ConnectionLiveness.Enabled),
		zap.Duration("connection_liveness::grace", r.cfg.ConnectionLiveness.Grace),
		zap.Int("max_workers", r.cfg.MaxWorkers),
		zap.Duration("forget_after", r.cfg.ForgetAfter))...)
}
