package deadworkerretain_test

import (
	"errors"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain"
	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario"
)

// FuzzConsume feeds arbitrary OTLP to the processor, twice, with staleness in
// between. It never panics, what it emits keeps the laws, and what holds
// nothing valid is refused. The pushes of all scenarios are the seeds.
func FuzzConsume(f *testing.F) {
	for _, file := range scenarioFiles(f) {
		s, err := scenario.ParseFile(filepath.Join(scenarios, file))
		require.NoError(f, err)
		seeds := 0
		for _, step := range s.Steps {
			push, ok := step.Do.(*scenario.Push)
			if !ok || seeds == 3 {
				continue
			}
			seeds++
			md, err := s.Payload(push, time.Unix(1700000000, 0))
			require.NoError(f, err)
			data, err := (&pmetric.ProtoMarshaler{}).MarshalMetrics(md)
			require.NoError(f, err)
			f.Add(data, true)
			f.Add(data, false)
		}
	}
	f.Add(unknownTemporality(f), false)
	f.Fuzz(func(t *testing.T, data []byte, split bool) {
		md, err := (&pmetric.ProtoUnmarshaler{}).UnmarshalMetrics(data)
		if err != nil {
			return
		}
		config := "  flush_interval: 1s\n  stale_after: 30s\n"
		if split {
			config += "  output: split\n"
		}
		synctest.Test(t, func(t *testing.T) {
			var refused error
			require.NoError(t, scenario.Feed(deadworkerretain.NewFactory(), config, func(p *scenario.Feeder) error {
				refused = p.Consume(md)
				err := p.Wait(40 * time.Second)
				_ = p.Consume(md)
				return errors.Join(err, p.Wait(2*time.Second))
			}))
			if valid, invalid := judge(md); valid == 0 && invalid > 0 {
				require.Error(t, refused, "nothing in the push is valid")
			}
		})
	})
}

// unknownTemporality is a sum whose temporality is none of the enumeration.
func unknownTemporality(f *testing.F) []byte {
	md := pmetric.NewMetrics()
	sum := md.ResourceMetrics().AppendEmpty().ScopeMetrics().AppendEmpty().Metrics().AppendEmpty().SetEmptySum()
	sum.SetAggregationTemporality(48)
	sum.DataPoints().AppendEmpty().SetIntValue(1)
	data, err := (&pmetric.ProtoMarshaler{}).MarshalMetrics(md)
	require.NoError(f, err)
	return data
}
