package deadworkerretain

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.uber.org/zap"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/core"
	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/store"
)

// disk is the state on disk. A nil disk is none: everything is in memory.
type disk struct {
	store *store.Store
	log   *eventLog
	// opened is false while the storage cannot be opened.
	opened bool
	// ready is set once a checkpoint of this state is on disk: a journal record
	// means nothing without one.
	ready atomic.Bool
	// failing is set while the last checkpoint is lost.
	failing bool
	// saved is when the last checkpoint was written, in nanoseconds since the
	// processor started.
	saved int64
}

var errNotReady = errors.New("the storage is not there")

// load makes the table: from the state on disk if there is one that can be
// continued. No first flush comes before it.
func (p *retain) load(ctx context.Context, host component.Host) error {
	if p.cfg.Storage == nil {
		p.table = core.NewTable(p.opt, rand.Uint64(), p.now())
		return nil
	}
	ext, err := store.Find(host, *p.cfg.Storage)
	if err != nil {
		return err
	}
	s, err := store.New(ext, p.id)
	if err != nil {
		return err
	}
	p.disk = &disk{store: s, log: p.log}
	if err := s.Open(ctx); err != nil {
		p.log.Error("the storage is not there: totals are kept in memory only, and goodbyes and deltas are not acknowledged, until it is", zap.Error(err))
		p.table = core.NewTable(p.opt, rand.Uint64(), p.now())
	} else {
		p.disk.opened = true
		p.table = p.restore(ctx)
	}
	s.Journal(p.table.Journal(), p.table.JournalKey)
	if p.disk.opened {
		p.write(ctx, p.cut((*core.Table).BeginCheckpoint))
	}
	return nil
}

// restore reads the state, or begins a new one and says why.
func (p *retain) restore(ctx context.Context) *core.Table {
	table, err := p.read(ctx)
	if err == nil {
		s := table.Stats()
		p.log.Info("the state was restored", zap.Int("living", s.Running+s.Quiet), zap.Int("tombstones", s.Dead),
			zap.Int("series", s.Series), zap.Time("epoch", time.Unix(0, table.Epoch())))
		return table
	}
	if errors.Is(err, core.ErrNoState) {
		p.log.Info("the storage holds no state: a new one begins")
	} else {
		p.setAside(ctx, err)
	}
	return core.NewTable(p.opt, rand.Uint64(), p.now())
}

// read reads the state. One that makes no sense in a way nobody thought of must
// not keep the collector from starting.
func (p *retain) read(ctx context.Context) (table *core.Table, err error) {
	defer func() {
		if r := recover(); r != nil {
			table, err = nil, fmt.Errorf("the state makes no sense: %v", r)
		}
	}()
	return core.Restore(p.opt, p.disk.store.Get(ctx), p.now())
}

// setAside keeps what cannot be read for whoever wants to look at it.
func (p *retain) setAside(ctx context.Context, why error) {
	var aside []core.Write
	var damaged *core.DamagedError
	if errors.As(why, &damaged) && damaged.Raw != nil {
		aside = append(aside, core.Write{Key: damaged.Key, Value: damaged.Raw})
	}
	if meta, err := p.disk.store.Get(ctx)([]string{core.MetaKey}); err == nil && meta[0] != nil {
		aside = append(aside, core.Write{Key: core.MetaKey, Value: meta[0]})
	}
	err := p.disk.store.SetAside(ctx, time.Now(), aside)
	p.telemetry.DeadworkerretainStateResets.Add(ctx, 1)
	p.log.Error("the state cannot be continued: it is set aside, and all series begin again with a new start time",
		zap.NamedError("reason", why), zap.NamedError("set_aside", err))
}

// write writes a checkpoint. If that fails the processor goes on in memory, and
// the next checkpoint writes everything.
func (p *retain) write(ctx context.Context, cut *core.Flush) {
	c := cut.Checkpoint()
	if c == nil {
		return
	}
	err := p.disk.store.Write(context.WithoutCancel(ctx), c.Writes())
	if err != nil {
		p.mu.Lock()
		c.Lost()
		p.mu.Unlock()
		p.disk.failing = true
		p.log.storageFailed(err)
		return
	}
	p.disk.ready.Store(true)
	if p.disk.failing {
		p.disk.failing = false
		p.log.Info("the storage works again: the whole state was written")
	}
	p.mu.Lock()
	p.disk.saved = p.now().Mono
	p.mu.Unlock()
}

// errTooLate is why a state is set aside that was found after the workers had
// been counted without it.
var errTooLate = errors.New("the storage could be opened only after workers had been counted without it")

// reopen tries a storage again that could not be opened. A state that it holds
// cannot be joined with what was counted meanwhile.
func (d *disk) reopen(p *retain) {
	ctx := context.Background()
	if d == nil || d.opened || d.store.Open(ctx) != nil {
		return
	}
	d.opened, d.failing = true, true
	if meta, err := d.store.Get(ctx)([]string{core.MetaKey}); err != nil || meta[0] != nil {
		p.setAside(ctx, errors.Join(errTooLate, err))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.table.Unsave()
}

// records makes the durable form of lives, to be written without the lock.
func (p *retain) records(ids []core.CommitID) [][]byte {
	if p.disk == nil {
		return nil
	}
	records := make([][]byte, len(ids))
	for i, id := range ids {
		records[i] = p.table.Record(id)
	}
	return records
}

// commit returns when all records are on disk. If not, the sender may try again.
func (d *disk) commit(ctx context.Context, records [][]byte) error {
	if len(records) == 0 {
		return nil
	}
	err := errNotReady
	if d.ready.Load() {
		err = d.store.Commit(ctx, records...)
	}
	if err != nil {
		return fmt.Errorf("applied, but not durable; send it again: %w", err)
	}
	return nil
}

func (d *disk) nextRecord() uint64 {
	if d == nil {
		return 0
	}
	return d.store.Next()
}

func (d *disk) close(ctx context.Context) error {
	if d == nil {
		return nil
	}
	return d.store.Close(ctx)
}

// checkpointTicker ticks for checkpoints between flushes, if they are asked for.
func (p *retain) checkpointTicker() (<-chan time.Time, func()) {
	if p.disk == nil || p.cfg.CheckpointInterval == 0 {
		return nil, func() {}
	}
	t := time.NewTicker(p.cfg.CheckpointInterval)
	return t.C, t.Stop
}
