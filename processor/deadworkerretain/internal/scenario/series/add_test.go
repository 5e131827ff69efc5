package series

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHistogramsMeetAtCommonBounds(t *testing.T) {
	older := &Hist{Bounds: []float64{1, 3}, Counts: []uint64{1, 2, 2}, Count: 5}
	newer := &Hist{Bounds: []float64{1, 3, 7, 15}, Counts: []uint64{0, 2, 2, 4, 5}, Count: 13}
	require.Equal(t, []uint64{1, 4, 13}, older.Add(newer).Counts)

	placed := older.Rebucket(newer.Bounds)
	require.Equal(t, []uint64{1, 2, 0, 0, 2}, placed.Counts, "what is above 3 may be anywhere up to infinity")
	require.EqualValues(t, 5, older.LE(math.Inf(1)))
	require.EqualValues(t, 1, older.LE(2.9))
}

func TestExponentialsMeetAtTheLowerScale(t *testing.T) {
	a := &Exp{Scale: 2, Pos: Buckets{0, []uint64{1, 2, 3, 4, 5}}, Zero: 1, Count: 16}
	b := &Exp{Scale: 1, Pos: Buckets{1, []uint64{1, 1}}, Zero: 2, Count: 4}
	sum := a.Add(b)
	require.Equal(t, &Exp{Scale: 1, Pos: Buckets{0, []uint64{3, 8, 6}}, Zero: 3, Count: 20}, sum)
}

func TestCoarserMovesSmallBucketsToZero(t *testing.T) {
	e := &Exp{Scale: 0, Pos: Buckets{-2, []uint64{1, 2, 4, 8}}, Neg: Buckets{-2, []uint64{16}}, Count: 31}
	// (1/4, 1/2] (1/2, 1] (1, 2] (2, 4]
	got := e.Coarser(0, 1)
	require.Equal(t, Buckets{0, []uint64{4, 8}}, got.Pos)
	require.Equal(t, Buckets{}, got.Neg)
	require.EqualValues(t, 19, got.Zero)
	require.Equal(t, Buckets{-1, []uint64{3, 12}}, e.Coarser(-1, 0).Pos, "downscaling rounds towards minus infinity")
}

func TestNumbers(t *testing.T) {
	require.Equal(t, IntNumber(5), IntNumber(2).Add(IntNumber(3)))
	require.Equal(t, FloatNumber(2.5), IntNumber(2).Add(FloatNumber(0.5)))
	require.False(t, IntNumber(math.MaxInt64).Add(IntNumber(1)).IsInt(), "an int does not wrap")
	require.Equal(t, -1, FloatNumber(1<<53).Cmp(IntNumber(1<<53+1)), "no rounding in between")
	require.Equal(t, "3.0", FloatNumber(3).String())
	require.True(t, Close(0.1+0.2, 0.3))
	require.False(t, Close(1, 1.00000001))
}
