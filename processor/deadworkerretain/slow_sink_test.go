package deadworkerretain_test

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/processor"
	"go.opentelemetry.io/collector/processor/processortest"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain"
	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/memstorage"
)

const flushEvery = 10 * time.Second

// started is a processor that runs.
func started(t *testing.T, next consumer.Metrics, disk *memstorage.Extension, change func(*deadworkerretain.Config)) processor.Metrics {
	f := deadworkerretain.NewFactory()
	cfg := f.CreateDefaultConfig().(*deadworkerretain.Config)
	cfg.FlushInterval, cfg.StaleAfter, cfg.InitialValue = flushEvery, "1m", "keep"
	host := extensions{}
	if disk != nil {
		id := component.MustNewID("memory")
		cfg.Storage, host = &id, extensions{id: disk}
	}
	if change != nil {
		change(cfg)
	}
	p, err := f.CreateMetrics(t.Context(), processortest.NewNopSettings(f.Type()), cfg, next)
	require.NoError(t, err)
	require.NoError(t, p.Start(t.Context(), host))
	return p
}

type extensions map[component.ID]component.Component

func (e extensions) GetExtensions() map[component.ID]component.Component { return e }

// counting is a push of worker i, which has counted so much.
func counting(i int, value int64, goodbye bool) pmetric.Metrics {
	md := pmetric.NewMetrics()
	rm := md.ResourceMetrics().AppendEmpty()
	rm.Resource().Attributes().PutStr("worker.id", strconv.Itoa(i))
	m := rm.ScopeMetrics().AppendEmpty().Metrics().AppendEmpty()
	m.SetName("c")
	m.SetEmptySum().SetIsMonotonic(true)
	m.Sum().SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
	dp := m.Sum().DataPoints().AppendEmpty()
	dp.SetStartTimestamp(pcommon.NewTimestampFromTime(time.Unix(1000, int64(i))))
	dp.SetTimestamp(pcommon.NewTimestampFromTime(time.Now()))
	dp.SetIntValue(value)
	if goodbye {
		lifecycle.Signal{State: lifecycle.Terminated}.AppendTo(rm)
	}
	return md
}

// slowSink is a consumer that may be slow, refuse or block. It keeps the last
// value of the counter c.
type slowSink struct {
	deaf bool

	mu          sync.Mutex
	takes       time.Duration
	blocked     chan struct{}
	err         error
	value       int64
	times       []int64
	begin, most int
	busy        int
}

func (s *slowSink) Capabilities() consumer.Capabilities { return consumer.Capabilities{} }

func (s *slowSink) ConsumeMetrics(ctx context.Context, md pmetric.Metrics) error {
	s.mu.Lock()
	s.begin++
	s.busy++
	s.most = max(s.most, s.busy)
	blocked, takes, err := s.blocked, s.takes, s.err
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.busy--
	}()
	if blocked != nil {
		done := ctx.Done()
		if s.deaf {
			done = nil
		}
		select {
		case <-blocked:
		case <-done:
			return ctx.Err()
		}
	}
	time.Sleep(takes)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range md.ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().All() {
		if m.Name() == "c" {
			dp := m.Sum().DataPoints().At(0)
			s.value = dp.IntValue()
			s.times = append(s.times, int64(dp.Timestamp()))
		}
	}
	return nil
}

func (s *slowSink) block() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.blocked, s.begin = make(chan struct{}), 0
}

func (s *slowSink) unblock() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.blocked != nil {
		close(s.blocked)
	}
	s.blocked = nil
}

func (s *slowSink) delay(takes time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.takes = takes
}

func (s *slowSink) refuse(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

func (s *slowSink) begun() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.begin
}

func (s *slowSink) last() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.value
}
