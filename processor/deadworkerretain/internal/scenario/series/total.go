package series

// Total is the sum of points of one series that were emitted in parts: ints
// stay ints unless they overflow, histograms meet at their common bounds.
func Total(parts []Point) Point {
	sum := parts[0]
	for _, p := range parts[1:] {
		switch {
		case sum.Hist != nil && p.Hist != nil:
			sum.Hist = sum.Hist.Add(p.Hist)
		case sum.Exp != nil && p.Exp != nil:
			sum.Exp = sum.Exp.Add(p.Exp)
		case sum.Summary != nil && p.Summary != nil:
			sum.Summary = &Quantiles{Count: sum.Summary.Count + p.Summary.Count, Sum: sum.Summary.Sum + p.Summary.Sum}
		default:
			sum.Number = sum.Number.Add(p.Number)
		}
	}
	return sum
}

// Add is the sum of two numbers: an int as long as both are and it fits.
func (n Number) Add(other Number) Number {
	if n.IsInt() && other.IsInt() {
		if sum := n.Int + other.Int; (sum > n.Int) == (other.Int > 0) {
			return IntNumber(sum)
		}
	}
	return FloatNumber(n.Float64() + other.Float64())
}
