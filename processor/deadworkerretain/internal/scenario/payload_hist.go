package scenario

import (
	"fmt"
	"strings"
	"time"

	"go.opentelemetry.io/collector/pdata/pmetric"
)

// fill calls the setter of every field; what is missing or unreadable is an error.
func (p *Point) fill(setters map[string]func(string) error) error {
	for _, f := range p.Fields {
		key := f.Key
		if strings.HasPrefix(key, "q") && setters[key] == nil {
			key = "q"
		}
		set, ok := setters[key]
		if !ok {
			return fmt.Errorf("%s has no %s", p.Handle, f.Key)
		}
		value := f.Value
		if key == "q" {
			value = f.Key[1:] + "=" + f.Value
		}
		if err := set(value); err != nil {
			return fmt.Errorf("%s of %s: %w", f.Key, p.Handle, err)
		}
	}
	return nil
}

func set[T any](parse func(string) (T, error), use func(T)) func(string) error {
	return func(text string) error {
		v, err := parse(text)
		if err == nil {
			use(v)
		}
		return err
	}
}

func counts(text string) ([]uint64, error)  { return list(text, count) }
func floats(text string) ([]float64, error) { return list(text, float) }

func total(counts ...uint64) (n uint64) {
	for _, c := range counts {
		n += c
	}
	return n
}

// histogram fills a point; the count is the sum of the buckets unless it is given.
func (p *Point) histogram(dp pmetric.HistogramDataPoint, base time.Time) error {
	if err := p.common(dp, base); err != nil {
		return err
	}
	return p.fill(map[string]func(string) error{
		"none":   func(string) error { dp.SetFlags(noRecordedValue); return nil },
		"bounds": set(floats, dp.ExplicitBounds().FromRaw),
		"counts": set(counts, func(c []uint64) { dp.BucketCounts().FromRaw(c); dp.SetCount(total(c...)) }),
		"count":  set(count, dp.SetCount),
		"sum":    set(float, dp.SetSum),
		"min":    set(float, dp.SetMin),
		"max":    set(float, dp.SetMax),
		"ex":     func(v string) error { return exemplar(v, dp.Exemplars().AppendEmpty(), base) },
	})
}

func (p *Point) exponential(dp pmetric.ExponentialHistogramDataPoint, base time.Time) error {
	if err := p.common(dp, base); err != nil {
		return err
	}
	recount := func() {
		dp.SetCount(dp.ZeroCount() + total(dp.Positive().BucketCounts().AsRaw()...) + total(dp.Negative().BucketCounts().AsRaw()...))
	}
	return p.fill(map[string]func(string) error{
		"none":      func(string) error { dp.SetFlags(noRecordedValue); return nil },
		"scale":     set(whole, dp.SetScale),
		"offset":    set(whole, dp.Positive().SetOffset),
		"negoffset": set(whole, dp.Negative().SetOffset),
		"pos":       set(counts, func(c []uint64) { dp.Positive().BucketCounts().FromRaw(c); recount() }),
		"neg":       set(counts, func(c []uint64) { dp.Negative().BucketCounts().FromRaw(c); recount() }),
		"zero":      set(count, func(n uint64) { dp.SetZeroCount(n); recount() }),
		"threshold": set(float, dp.SetZeroThreshold),
		"count":     set(count, dp.SetCount),
		"sum":       set(float, dp.SetSum),
		"min":       set(float, dp.SetMin),
		"max":       set(float, dp.SetMax),
		"ex":        func(v string) error { return exemplar(v, dp.Exemplars().AppendEmpty(), base) },
	})
}

func (p *Point) summary(dp pmetric.SummaryDataPoint, base time.Time) error {
	if err := p.common(dp, base); err != nil {
		return err
	}
	return p.fill(map[string]func(string) error{
		"none":  func(string) error { dp.SetFlags(noRecordedValue); return nil },
		"count": set(count, dp.SetCount),
		"sum":   set(float, dp.SetSum),
		"q": func(text string) error {
			quantile, value, _ := strings.Cut(text, "=")
			q, err := float(quantile)
			if err != nil {
				return err
			}
			v, err := float(value)
			out := dp.QuantileValues().AppendEmpty()
			out.SetQuantile(q)
			out.SetValue(v)
			return err
		},
	})
}
