package deadworkerretain_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/processor/processortest"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain"
	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/law"
	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/series"
)

// TestConsistentCut has many workers push, stall, return and die while flushes
// go on. Every request raises two counters and a histogram alike, so that every
// flush must show all three alike, in `split` their sums; and the end is exact.
func TestConsistentCut(t *testing.T) {
	for _, output := range []string{"total", "split"} {
		t.Run(output, func(t *testing.T) {
			cfg := deadworkerretain.NewFactory().CreateDefaultConfig().(*deadworkerretain.Config)
			cfg.Output, cfg.FlushInterval, cfg.StaleAfter = output, 10*time.Millisecond, "40ms"
			cfg.InitialValue = "keep"
			cuts := &cutSink{law: law.Checker{AnyTime: true}, flushed: make(chan struct{})}
			p, err := deadworkerretain.NewFactory().CreateMetrics(t.Context(), processortest.NewNopSettings(deadworkerretain.NewFactory().Type()), cfg, cuts)
			require.NoError(t, err)
			require.NoError(t, p.Start(t.Context(), componenttest.NewNopHost()))

			const pushers = 8
			counted := make([]int64, pushers)
			errs := make([]error, pushers)
			var done sync.WaitGroup
			for i := range pushers {
				done.Go(func() { counted[i], errs[i] = pushAll(p, cuts, i) })
			}
			done.Wait()
			require.NoError(t, errors.Join(errs...))
			require.NoError(t, p.Shutdown(context.Background()))

			var want int64
			for _, n := range counted {
				want += n
			}
			cuts.mu.Lock()
			defer cuts.mu.Unlock()
			require.NoError(t, errors.Join(cuts.wrong...))
			require.Equal(t, want, cuts.total, "the end is exact")
			t.Logf("%d flushes of %d", cuts.flushes, want)
		})
	}
}

// pushAll lives the lives of workers one after the other and returns what they
// counted in all.
func pushAll(p consumer.Metrics, cuts *cutSink, pusher int) (counted int64, err error) {
	rng := rand.New(rand.NewPCG(uint64(pusher), 1))
	for life := range 12 {
		worker := fmt.Sprintf("%d-%d", pusher, life)
		start, value := time.Now(), int64(0)
		for push := range 30 {
			value += rng.Int64N(5)
			goodbye := push == 29 && life%3 == 0 // the others just fall silent
			if err := p.ConsumeMetrics(context.Background(), threeAlike(worker, start, value, goodbye)); err != nil {
				return 0, err
			}
			if rng.IntN(40) == 0 {
				cuts.wait(6) // longer than staleness: folded, and back again
			}
		}
		counted += value
	}
	return counted, nil
}

// threeAlike is a request with counters a and b and a histogram's count alike.
func threeAlike(worker string, start time.Time, value int64, goodbye bool) pmetric.Metrics {
	md := pmetric.NewMetrics()
	rm := md.ResourceMetrics().AppendEmpty()
	rm.Resource().Attributes().PutStr("service.instance.id", worker)
	from, now := pcommon.NewTimestampFromTime(start), pcommon.NewTimestampFromTime(time.Now())
	metrics := rm.ScopeMetrics().AppendEmpty().Metrics()
	for _, name := range []string{"a", "b"} {
		m := metrics.AppendEmpty()
		m.SetName(name)
		m.SetEmptySum().SetIsMonotonic(true)
		m.Sum().SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
		dp := m.Sum().DataPoints().AppendEmpty()
		dp.SetStartTimestamp(from)
		dp.SetTimestamp(now)
		dp.SetIntValue(value)
	}
	m := metrics.AppendEmpty()
	m.SetName("h")
	m.SetEmptyHistogram().SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
	dp := m.Histogram().DataPoints().AppendEmpty()
	dp.SetStartTimestamp(from)
	dp.SetTimestamp(now)
	dp.ExplicitBounds().FromRaw([]float64{1})
	dp.BucketCounts().FromRaw([]uint64{uint64(value / 2), uint64(value - value/2)})
	dp.SetCount(uint64(value))
	if goodbye {
		lifecycle.Signal{State: lifecycle.Terminated, Time: now}.AppendTo(rm)
	}
	return md
}

// cutSink checks every flush.
type cutSink struct {
	mu      sync.Mutex
	law     law.Checker
	flushes int
	flushed chan struct{} // closed and replaced at every flush
	total   int64
	wrong   []error
}

func (s *cutSink) Capabilities() consumer.Capabilities { return consumer.Capabilities{} }

func (s *cutSink) ConsumeMetrics(_ context.Context, md pmetric.Metrics) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	points := series.Flatten(md)
	s.wrong = append(s.wrong, s.law.Flush(points, time.Time{})...)
	sums := map[string]int64{}
	for _, p := range points {
		switch {
		case p.NoRecorded:
		case p.Hist != nil:
			sums["h"] += int64(p.Hist.Count)
		default:
			sums[p.ID.Metric] += p.Number.Int
		}
	}
	if sums["a"] != sums["b"] || sums["a"] != sums["h"] {
		s.wrong = append(s.wrong, fmt.Errorf("flush %d is no consistent cut: %v", s.flushes, sums))
	}
	if sums["a"] < s.total {
		s.wrong = append(s.wrong, fmt.Errorf("flush %d: the total fell from %d to %d", s.flushes, s.total, sums["a"]))
	}
	s.total = sums["a"]
	s.flushes++
	close(s.flushed)
	s.flushed = make(chan struct{})
	return nil
}

// wait returns after n more flushes.
func (s *cutSink) wait(n int) {
	for range n {
		s.mu.Lock()
		next := s.flushed
		s.mu.Unlock()
		<-next
	}
}
