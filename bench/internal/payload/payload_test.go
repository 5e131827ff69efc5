package payload

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

// add sums what the workers said last, which is what the right total is by definition.
func add(all []pmetric.Metrics) Totals {
	sum := Totals{}
	for _, md := range all {
		one := Totals{}
		one.Add(md)
		for k, v := range one {
			sum[k] += v
		}
	}
	return sum
}

func TestWantIsTheSumOfWhatAllWorkersSaidLast(t *testing.T) {
	for _, shape := range []Shape{Numbers(150), Histograms(20, 50), Exponential(10), Wide(3)} {
		t.Run(shape.Name, func(t *testing.T) {
			f := NewFleet(shape, Size{Workers: 4, PerPush: 2, Services: 2})
			var last []pmetric.Metrics
			keep := func() {
				md := pmetric.NewMetrics()
				f.Next().CopyTo(md)
				for _, rm := range md.ResourceMetrics().All() {
					one := pmetric.NewMetrics()
					rm.CopyTo(one.ResourceMetrics().AppendEmpty())
					last = append(last, one)
				}
			}
			f.Next() // workers 0 and 1
			f.Next() // workers 2 and 3
			keep()
			keep()
			f.Replace()
			keep()
			assert.Len(t, last, 6)
			assert.Empty(t, add(last).Diff(f.Want()))
			assert.NotEmpty(t, f.Want())
		})
	}
}

func TestEveryPushHasALaterTimeAndEveryWorkerAnIdentity(t *testing.T) {
	f := NewFleet(Numbers(10), Size{Workers: 3})
	seen := map[string]bool{}
	var last pcommon.Timestamp
	for range 3 {
		md := f.Next()
		rm := md.ResourceMetrics().At(0)
		id, ok := rm.Resource().Attributes().Get(WorkerAttribute)
		require.True(t, ok)
		seen[id.Str()] = true
		dp := rm.ScopeMetrics().At(0).Metrics().At(0).Sum().DataPoints().At(0)
		assert.Greater(t, dp.Timestamp(), last)
		assert.Less(t, dp.StartTimestamp(), dp.Timestamp())
		last = dp.Timestamp()
	}
	assert.Len(t, seen, 3)
}

func TestPointsOfAWorkerAreDifferentSeries(t *testing.T) {
	assert.Len(t, NewFleet(Numbers(1000), Size{}).Want(), 1000)
	assert.Len(t, NewFleet(Histograms(200, 50), Size{}).Want(), 200*(50+2))
}

func TestDiffNamesWhatIsMissingAndWhatIsWrong(t *testing.T) {
	want := Totals{"a{}": 1, "b{}": 2}
	assert.Empty(t, Totals{"a{}": 1, "b{}": 2, "c{}": 3}.Diff(want))
	assert.Equal(t, "1 of 2 values wrong, such as b{} is 3, right is 2", Totals{"a{}": 1, "b{}": 3}.Diff(want))
	assert.Equal(t, "1 of 2 values wrong, such as b{} is missing, right is 2", Totals{"a{}": 1}.Diff(want))
}
