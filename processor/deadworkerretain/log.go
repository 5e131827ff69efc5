package deadworkerretain

import (
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/core"
)

// eventLog tells people what happens, each kind of message ten times a minute
// at most: a fleet of workers that all make the same mistake must not fill a disk.
type eventLog struct {
	*zap.Logger
	limited *zap.Logger
}

func newEventLog(logger *zap.Logger) *eventLog {
	return &eventLog{Logger: logger, limited: logger.WithOptions(zap.WrapCore(func(c zapcore.Core) zapcore.Core {
		return zapcore.NewSamplerWithOptions(c, time.Minute, 10, 0)
	}))}
}

func (l *eventLog) events(events []core.Event) {
	for _, e := range events {
		level := zap.InfoLevel
		if e.Warn {
			level = zap.WarnLevel
		}
		fields := make([]zap.Field, 0, 3)
		for _, f := range []struct{ key, value string }{{"worker", e.Worker}, {"metric", e.Metric}, {"remedy", e.Remedy}} {
			if f.value != "" {
				fields = append(fields, zap.String(f.key, f.value))
			}
		}
		l.limited.Log(level, e.Text, fields...)
	}
}

func (l *eventLog) refused(err error) {
	l.limited.Warn("part of a push was refused; the rest was applied", zap.Error(err))
}

func (l *eventLog) storageFailed(err error) {
	l.limited.Error("the storage failed: totals are kept in memory only, and goodbyes and deltas are not acknowledged, until it works again", zap.Error(err))
}

func (l *eventLog) underWay() {
	l.limited.Warn("no flush: the one before is still under way downstream; the next one sends all totals")
}

func (l *eventLog) flushFailed(err error) {
	l.limited.Warn("a flush was refused downstream; the next one sends the same totals again", zap.Error(err))
}
