package scenario

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/processor"
	"go.opentelemetry.io/collector/processor/processortest"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/memstorage"
)

// defaults are short, so that waiting for a flush hardly moves the clock.
const defaults = "flush_interval: 100ms\nstale_after: 60s\n"

// collector is the little of a collector that the processor needs: its
// configuration, storage, telemetry, and the consumer behind it.
type collector struct {
	factory   processor.Factory
	conf      *confmap.Conf
	config    component.Config
	storageID *component.ID
	storage   *memstorage.Extension
	sink      *sink
	interval  time.Duration // between flushes

	running   processor.Metrics // nil when stopped
	startedAt time.Time
	telemetry *componenttest.Telemetry
	logs      *observer.ObservedLogs
}

func newCollector(factory processor.Factory, yaml string) (*collector, error) {
	c := &collector{factory: factory, conf: confmap.New(), config: factory.CreateDefaultConfig(), storage: memstorage.New(), sink: &sink{}}
	conf := c.conf
	for _, text := range []string{defaults, yaml} {
		retrieved, err := confmap.NewRetrievedFromYAML([]byte(text))
		if err != nil {
			return nil, err
		}
		part, err := retrieved.AsConf()
		if err != nil {
			return nil, err
		}
		if err := conf.Merge(part); err != nil {
			return nil, err
		}
	}
	text, _ := conf.Get("flush_interval").(string)
	interval, err := time.ParseDuration(text)
	if err != nil {
		return nil, err
	}
	c.interval = interval
	if id, ok := conf.Get("storage").(string); ok {
		c.storageID = new(component.ID)
		if err := c.storageID.UnmarshalText([]byte(id)); err != nil {
			return nil, err
		}
	}
	if err := conf.Unmarshal(c.config); err != nil {
		return nil, err
	}
	if v, ok := c.config.(interface{ Validate() error }); ok {
		return c, v.Validate()
	}
	return c, nil
}

// GetExtensions implements component.Host.
func (c *collector) GetExtensions() map[component.ID]component.Component {
	if c.storageID == nil {
		return nil
	}
	return map[component.ID]component.Component{*c.storageID: c.storage}
}

func (c *collector) start() error {
	if c.running != nil {
		return errors.New("the collector runs already")
	}
	if c.telemetry != nil {
		_ = c.telemetry.Shutdown(context.Background())
	}
	c.telemetry = componenttest.NewTelemetry()
	core, logs := observer.New(zapcore.DebugLevel)
	c.logs = logs
	set := processortest.NewNopSettings(c.factory.Type())
	set.ID = component.NewID(c.factory.Type())
	set.TelemetrySettings = c.telemetry.NewTelemetrySettings()
	set.Logger = zap.New(core)
	p, err := c.factory.CreateMetrics(context.Background(), set, c.config, c.sink)
	if err != nil {
		return err
	}
	c.startedAt = time.Now()
	c.running = p
	return p.Start(context.Background(), c)
}

func (c *collector) stop() error {
	if c.running == nil {
		return errors.New("the collector does not run")
	}
	p := c.running
	c.running = nil
	return p.Shutdown(context.Background())
}

// crash ends the processor so that nothing it still does can be seen: its
// storage is left as it was, and what it sends goes nowhere.
func (c *collector) crash() error {
	abandoned := c.storage
	c.storage = abandoned.Crash()
	abandoned.Fail(true)
	refusing := c.sink.refuse(true)
	_ = c.stop()
	c.sink.refuse(refusing)
	return c.start()
}

// close ends everything, whatever state the scenario left it in.
func (c *collector) close() error {
	var err error
	if c.running != nil {
		err = c.stop()
	}
	if c.telemetry != nil {
		err = errors.Join(err, c.telemetry.Shutdown(context.Background()))
	}
	if err != nil {
		return fmt.Errorf("shutdown: %w", err)
	}
	return nil
}
