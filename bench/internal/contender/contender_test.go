package contender

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
)

func run(t *testing.T, k Kind, f *payload.Fleet, rounds int) (payload.Totals, bool) {
	c, err := k.New(f)
	require.NoError(t, err)
	if c == nil {
		return nil, false
	}
	for range rounds * f.Round() {
		c.Prepare(f.Next())
		require.NoError(t, c.Push())
	}
	c.Record(true)
	c.Prepare(f.Next())
	require.NoError(t, c.Push())
	return c.Totals(), true
}

func TestTotalsOfTheExactAreRight(t *testing.T) {
	for _, k := range Kinds() {
		for _, shape := range []payload.Shape{payload.Numbers(120), payload.Histograms(10, 50), payload.Exponential(10), payload.Wide(2)} {
			t.Run(k.Name+"/"+shape.Name, func(t *testing.T) {
				f := payload.NewFleet(shape, payload.Size{Workers: 6, PerPush: 2})
				got, ok := run(t, k, f, 3)
				if !ok {
					t.Skip("has no such type")
				}
				if k.Exact {
					assert.Empty(t, got.Diff(f.Want()))
				}
			})
		}
	}
}

func TestLimitsMakeNoTotals(t *testing.T) {
	f := payload.NewFleet(payload.Numbers(10), payload.Size{})
	for _, k := range Kinds() {
		got, _ := run(t, k, f, 1)
		assert.Equal(t, k.Name == "decode" || k.Name == "copy", got == nil, k.Name)
	}
}

func TestTransformSumsOneBatchOnly(t *testing.T) {
	f := payload.NewFleet(payload.Numbers(10), payload.Size{Workers: 2})
	got, _ := run(t, Kind{New: newTransform}, f, 3)
	assert.NotEmpty(t, got.Diff(f.Want()))
}
