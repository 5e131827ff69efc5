package deadworkerretain

import (
	"context"
	"errors"
	"sync"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/processor"
	"go.uber.org/zap"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/core"
	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/metadata"
)

// retain is the plumbing around the table: a lock, a clock, a ticker.
//
// Requests are read and hashed beside each other, without the lock; then each
// is applied under it. A flush holds the lock for a few series at a time.
type retain struct {
	cfg  *Config
	opt  *core.Options
	id   component.ID
	next consumer.Metrics
	log  *eventLog

	telemetry *metadata.TelemetryBuilder
	started   time.Time
	batches   sync.Pool

	mu    turns
	table *core.Table

	// disk is nil without storage.
	disk *disk

	stop context.CancelFunc
	done chan struct{}
	// sending is the output that is under way, if any.
	sending *sending
}

func newProcessor(set processor.Settings, cfg *Config, next consumer.Metrics) (*retain, error) {
	telemetry, err := metadata.NewTelemetryBuilder(set.TelemetrySettings)
	if err != nil {
		return nil, err
	}
	return &retain{
		cfg: cfg, opt: cfg.options(), id: set.ID, next: next,
		log:       newEventLog(set.Logger),
		telemetry: telemetry,
		batches:   sync.Pool{New: func() any { return &core.Batch{} }},
	}, nil
}

// Capabilities says that requests are only read.
func (p *retain) Capabilities() consumer.Capabilities {
	return consumer.Capabilities{MutatesData: false}
}

// Start restores the state and begins to flush.
func (p *retain) Start(ctx context.Context, host component.Host) error {
	p.started = time.Now()
	if err := p.load(ctx, host); err != nil {
		return err
	}
	if err := p.observe(); err != nil {
		return errors.Join(err, p.disk.close(ctx))
	}
	flushing, stop := context.WithCancel(context.Background())
	p.stop, p.done = stop, make(chan struct{})
	go p.flushing(flushing)
	p.log.Info("retaining the totals of dead workers", p.cfg.fields()...)
	return nil
}

// Shutdown flushes once more: the receivers have stopped, so that this is all.
func (p *retain) Shutdown(ctx context.Context) error {
	if p.stop == nil {
		return nil
	}
	p.stop()
	<-p.done
	p.stop = nil
	err := p.last(ctx)
	p.telemetry.Shutdown()
	return errors.Join(err, p.disk.close(ctx))
}

// now reads both clocks.
func (p *retain) now() core.Instant {
	t := time.Now()
	return core.Instant{Wall: t.UnixNano(), Mono: int64(t.Sub(p.started))}
}

// ConsumeMetrics applies a request. Success means that everything that could be
// understood has been applied, not that it has been flushed.
func (p *retain) ConsumeMetrics(ctx context.Context, md pmetric.Metrics) error {
	b := p.batches.Get().(*core.Batch)
	defer p.batches.Put(b)
	b.Prepare(p.table.Hasher(), p.opt, md)

	p.mu.Lock()
	res := p.table.Apply(b, p.now())
	events := p.table.Events()
	records := p.records(res.Commit)
	p.mu.Unlock()

	p.log.events(events)
	err := answer(res)
	if err == nil {
		err = p.disk.commit(ctx, records)
	}
	if passed, ok := p.passing(md); ok {
		err = errors.Join(err, p.next.ConsumeMetrics(ctx, passed))
	}
	if err == nil && res.Err != nil {
		p.log.refused(res.Err)
	}
	return err
}

func (c *Config) fields() []zap.Field {
	storage := "none: totals are lost when the collector stops"
	if c.Storage != nil {
		storage = c.Storage.String()
	}
	return []zap.Field{
		zap.Strings("identity", c.Identity), zap.Strings("group_by", c.GroupBy), zap.Strings("life", c.Life),
		zap.String("stale_after", c.StaleAfter), zap.Duration("flush_interval", c.FlushInterval),
		zap.String("output", c.Output), zap.String("initial_value", c.InitialValue),
		zap.Int("rules", len(c.Rules)), zap.String("storage", storage),
	}
}
