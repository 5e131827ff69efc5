package scenario

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// duration reads seconds (61, 0.5) or a Go duration (10m, 24h).
func duration(text string) (time.Duration, error) {
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		text += "s"
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("%q is neither seconds nor a duration such as 10m", text)
	}
	return d, nil
}

// timestamp reads the time of a point, in seconds since the scenario began. 0
// is no time at all, as in OTLP; 0s is second 0.
func timestamp(text string, base time.Time) (pcommon.Timestamp, error) {
	switch text {
	case "", "0":
		return 0, nil
	case "max":
		return math.MaxUint64, nil
	}
	d, err := duration(text)
	return pcommon.NewTimestampFromTime(base.Add(d)), err
}

func formatDuration(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64)
}

// list reads [1, 2, 3x4]: 3x4 is 3, four times.
func list[T any](text string, parse func(string) (T, error)) ([]T, error) {
	if !strings.HasPrefix(text, "[") || !strings.HasSuffix(text, "]") {
		return nil, fmt.Errorf("%q is not a list in brackets", text)
	}
	var out []T
	for _, part := range splitList(text[1 : len(text)-1]) {
		value, times := part, 1
		if v, n, ok := strings.Cut(part, "x"); ok {
			count, err := strconv.Atoi(n)
			if err != nil {
				return nil, fmt.Errorf("%q: expected a number of repetitions behind the x", part)
			}
			value, times = v, count
		}
		v, err := parse(value)
		if err != nil {
			return nil, err
		}
		for range times {
			out = append(out, v)
		}
	}
	return out, nil
}

func float(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	return v, nil
}

func count(text string) (uint64, error) {
	v, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a count", text)
	}
	return v, nil
}

func whole(text string) (int32, error) {
	v, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%q is not a whole number", text)
	}
	return int32(v), nil
}
