package scenario

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/series"
)

// field checks one expected property of a point.
func (r *runner) field(got *series.Point, want Field) error {
	switch {
	case want.Key == "ex" || want.Key == "exemplars" || want.Key == "none" || want.Value == "none" && want.Key == "=":
		return nil // looked at elsewhere
	case want.Key == "start" && (want.Value == "same" || want.Value == "new"):
		before, ok := r.starts[got.ID]
		if !ok {
			return fmt.Errorf("start=%s, but it was in no out before", want.Value)
		}
		if (before == got.Start) != (want.Value == "same") {
			return fmt.Errorf("start was %s and is %s, expected start=%s", before.AsTime(), got.Start.AsTime(), want.Value)
		}
		return nil
	case want.Key == "start" || want.Key == "t":
		stamp := got.Start
		if want.Key == "t" {
			stamp = got.Time
		}
		expected, err := timestamp(seconds(want.Value), r.base)
		if err == nil && expected != stamp {
			err = fmt.Errorf("%s is %s, expected %s", want.Key, formatDuration(stamp.AsTime().Sub(r.base)), want.Value)
		}
		return err
	case strings.HasPrefix(want.Key, "le"):
		return le(got.Hist, want)
	}
	for _, f := range Fields(got) {
		if f.Key == want.Key {
			return same(f, want)
		}
	}
	if want.Value == "none" {
		return nil
	}
	return fmt.Errorf("it has no %s, expected %s", strings.TrimPrefix(want.Key, "="), want.Value)
}

// le checks a cumulative bucket, which must be at a bound that is there.
func le(h *series.Hist, want Field) error {
	bound, err := strconv.ParseFloat(want.Key[len("le"):], 64)
	if err != nil || h == nil {
		return fmt.Errorf("%s is no bound of a histogram", want.Key)
	}
	if common := series.CommonBounds(h.Bounds, []float64{bound}); len(common) == 0 && !math.IsInf(bound, 1) {
		return fmt.Errorf("%s is not a bound: they are %v", want.Key, h.Bounds)
	}
	if got := strconv.FormatUint(h.LE(bound), 10); got != want.Value {
		return fmt.Errorf("%s is %s, expected %s", want.Key, got, want.Value)
	}
	return nil
}

// same compares two values as they are written: ints exactly, doubles but for
// rounding. An int is never the same as a double, except in lists.
func same(got, want Field) error {
	if unquote(got.Value) == unquote(want.Value) {
		return nil
	}
	inList := strings.HasPrefix(want.Value, "[")
	if g, err := floats(got.Value); inList && err == nil { // also [1x4] and [1,1,1,1]
		if w, err := floats(want.Value); err == nil && equalFloats(g, w) {
			return nil
		}
	}
	_, gotInt := strconv.ParseInt(got.Value, 10, 64)
	_, wantInt := strconv.ParseInt(want.Value, 10, 64)
	typed := got.Key == "=" && (gotInt == nil) != (wantInt == nil)
	g, err1 := strconv.ParseFloat(got.Value, 64)
	w, err2 := strconv.ParseFloat(want.Value, 64)
	bothInt := gotInt == nil && wantInt == nil
	if err1 == nil && err2 == nil && !typed && !bothInt && series.Close(g, w) {
		return nil
	}
	if typed && g == w {
		return fmt.Errorf("it is %s, expected %s: an int is not a double", got.Value, want.Value)
	}
	return fmt.Errorf("%s is %s, expected %s", strings.Replace(want.Key, "=", "it", 1), got.Value, want.Value)
}

func equalFloats(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !series.Close(a[i], b[i]) {
			return false
		}
	}
	return true
}

// exemplars checks the exemplars, if anything was said about them: their
// number, or all of them.
func exemplars(got *series.Point, want []Field, base time.Time) error {
	var listed []pmetric.Exemplar
	for _, f := range want {
		if f.Key == "exemplars" && strconv.Itoa(got.Exemplars.Len()) != f.Value {
			return fmt.Errorf("it has %d exemplars, expected %s", got.Exemplars.Len(), f.Value)
		}
		if f.Key == "ex" {
			ex := pmetric.NewExemplar()
			if err := exemplar(f.Value, ex, base); err != nil {
				return err
			}
			listed = append(listed, ex)
		}
	}
	if listed == nil {
		return nil
	}
	if len(listed) != got.Exemplars.Len() {
		return fmt.Errorf("it has %d exemplars, expected %d", got.Exemplars.Len(), len(listed))
	}
	for _, ex := range listed {
		if !has(got.Exemplars, ex) {
			return fmt.Errorf("the exemplar %v@%s is not there", ex.DoubleValue(), formatDuration(ex.Timestamp().AsTime().Sub(base)))
		}
	}
	return nil
}

func has(exemplars pmetric.ExemplarSlice, want pmetric.Exemplar) bool {
	for _, ex := range exemplars.All() {
		if ex.Timestamp() == want.Timestamp() && ex.IntValue() == want.IntValue() &&
			ex.DoubleValue() == want.DoubleValue() && ex.FilteredAttributes().Equal(want.FilteredAttributes()) {
			return true
		}
	}
	return false
}
