package core

import (
	"errors"
	"fmt"
	"math"

	"go.opentelemetry.io/collector/pdata/pmetric"
)

var errCountOverflow = errors.New("the bucket counts add up to more than a count can hold")

func checkExponential(dp pmetric.ExponentialHistogramDataPoint) error {
	if dp.Flags().NoRecordedValue() {
		return nil
	}
	if dp.Scale() < minScale || dp.Scale() > maxScale {
		return fmt.Errorf("scale is %d, expected %d to %d", dp.Scale(), minScale, maxScale)
	}
	if z := dp.ZeroThreshold(); math.IsNaN(z) || math.IsInf(z, 0) || z < 0 {
		return fmt.Errorf("zero threshold is %v, expected a finite number, 0 or more", z)
	}
	sum := dp.ZeroCount()
	for _, side := range []pmetric.ExponentialHistogramDataPointBuckets{dp.Positive(), dp.Negative()} {
		n, err := checkSide(side, dp.Scale())
		if err != nil {
			return err
		}
		if sum+n < n {
			return errCountOverflow
		}
		sum += n
	}
	if sum != dp.Count() {
		return fmt.Errorf("count is %d, expected the sum of the buckets, %d", dp.Count(), sum)
	}
	return checkSumMinMax(dp.HasSum(), dp.Sum(), dp.HasMin(), dp.Min(), dp.HasMax(), dp.Max())
}

// checkSide adds up the buckets of a side. A bucket in use must hold values
// that a double can have, which bounds every index by 2^31.
func checkSide(side pmetric.ExponentialHistogramDataPointBuckets, scale int32) (sum uint64, err error) {
	const leastExponent, mostExponent = -1075, 1024
	lo := int64(math.Floor(math.Ldexp(leastExponent, int(scale))))
	hi := int64(math.Ceil(math.Ldexp(mostExponent, int(scale))))
	counts := side.BucketCounts()
	for i := range counts.Len() {
		n := counts.At(i)
		if n == 0 {
			continue
		}
		if index := int64(side.Offset()) + int64(i); index < lo || index >= hi {
			return 0, fmt.Errorf("bucket %d at scale %d holds no double, expected %d to %d", index, scale, lo, hi-1)
		}
		if sum+n < n {
			return 0, errCountOverflow
		}
		sum += n
	}
	return sum, nil
}
