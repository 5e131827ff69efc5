package series

import (
	"math"
	"math/big"
	"strconv"

	"go.opentelemetry.io/collector/pdata/pmetric"
)

// Number is an int or a double; None when a point carries neither.
type Number struct {
	Type  pmetric.NumberDataPointValueType
	Int   int64
	Float float64
}

// IntNumber makes an int.
func IntNumber(v int64) Number { return Number{Type: pmetric.NumberDataPointValueTypeInt, Int: v} }

// FloatNumber makes a double.
func FloatNumber(v float64) Number {
	return Number{Type: pmetric.NumberDataPointValueTypeDouble, Float: v}
}

// IsInt reports whether the number is an int.
func (n Number) IsInt() bool { return n.Type == pmetric.NumberDataPointValueTypeInt }

// Float64 is the number as a double, rounded if it has to be.
func (n Number) Float64() float64 {
	if n.IsInt() {
		return float64(n.Int)
	}
	return n.Float
}

// Cmp compares two finite numbers exactly, also an int with a double.
func (n Number) Cmp(other Number) int { return n.exact().Cmp(other.exact()) }

func (n Number) exact() *big.Float {
	if n.IsInt() {
		return new(big.Float).SetInt64(n.Int)
	}
	return new(big.Float).SetFloat64(n.Float)
}

// Finite reports whether the number is neither NaN nor infinite.
func (n Number) Finite() bool { return n.IsInt() || !(math.IsNaN(n.Float) || math.IsInf(n.Float, 0)) }

// String writes the number so that an int can be told from a double.
func (n Number) String() string {
	switch n.Type {
	case pmetric.NumberDataPointValueTypeInt:
		return strconv.FormatInt(n.Int, 10)
	case pmetric.NumberDataPointValueTypeDouble:
		return FormatFloat(n.Float)
	default:
		return "empty"
	}
}

// FormatFloat writes a double so that it reads back to the same bits and is
// never mistaken for an int.
func FormatFloat(v float64) string {
	s := strconv.FormatFloat(v, 'g', -1, 64)
	if _, err := strconv.ParseInt(s, 10, 64); err == nil {
		return s + ".0"
	}
	return s
}

// Close reports whether two doubles are equal but for rounding: one part in 1e12.
func Close(a, b float64) bool {
	if a == b || math.IsNaN(a) && math.IsNaN(b) {
		return true
	}
	difference := math.Abs(a - b)
	return !math.IsInf(difference, 0) && difference <= 1e-12*math.Max(math.Abs(a), math.Abs(b))
}
