package deadworkerretain_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain"
	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario"
)

// TestWildPushes pushes what no sane worker would: values, counts, bounds and
// times drawn from the far ends. Whatever is refused or taken, the laws hold.
func TestWildPushes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) { playWild(t, rt) })
}

// FuzzWildPushes is TestWildPushes for as long as one likes.
func FuzzWildPushes(f *testing.F) {
	f.Add([]byte("wild"))
	f.Fuzz(func(t *testing.T, data []byte) {
		rapid.MakeFuzz(func(rt *rapid.T) { playWild(t, rt) })(t, draws(data))
	})
}

func playWild(t *testing.T, rt *rapid.T) {
	s := &scenario.Scenario{
		Name: "wild",
		Config: fmt.Sprintf("  flush_interval: 1s\n  stale_after: 30s\n  output: %s\n  initial_value: %s\n  start_time: %s\n",
			rapid.SampledFrom([]string{"total", "split"}).Draw(rt, "output"),
			rapid.SampledFrom([]string{"keep", "auto", "drop"}).Draw(rt, "initial value"),
			rapid.SampledFrom([]string{"trust", "ignore"}).Draw(rt, "start time")),
		Metrics: []scenario.Metric{
			{Handle: "inc", Kind: "delta", Name: "c"},
			{Handle: "hinc", Kind: "deltahistogram", Name: "h"},
			{Handle: "ehinc", Kind: "deltaexponential", Name: "eh"},
			{Handle: "odd", Kind: "unspecified", Name: "c"},
		},
	}
	do := func(st scenario.Statement) { s.Steps = append(s.Steps, scenario.Step{Do: st}) }
	// Sums of wild histograms fall. A negative observation tells the laws so.
	do(&scenario.Push{Blocks: []scenario.Block{{Worker: "N", Items: []scenario.Item{&scenario.Point{
		Handle: "h", Attrs: scenario.Attrs{{Key: "negative", Value: "true"}}, Start: "1", Time: "1",
		Fields: []scenario.Field{{Key: "bounds", Value: "[0]"}, {Key: "counts", Value: "[1,0]"}, {Key: "sum", Value: "-1"}},
	}}}}})
	for range rapid.IntRange(1, 12).Draw(rt, "steps") {
		switch rapid.IntRange(0, 4).Draw(rt, "step") {
		case 0:
			do(&scenario.Clock{To: time.Duration(rapid.IntRange(1, 45).Draw(rt, "seconds")) * time.Second, Relative: true})
		default:
			push := &scenario.Push{Answer: scenario.Answer{Any: true}}
			for range rapid.IntRange(1, 3).Draw(rt, "blocks") {
				push.Blocks = append(push.Blocks, wildBlock(rt))
			}
			do(push)
		}
	}
	do(&scenario.Out{})
	run := func(s *scenario.Scenario) (err error) {
		synctest.Test(t, func(*testing.T) { err = scenario.Run(s, deadworkerretain.NewFactory()) })
		return err
	}
	if run(s) != nil {
		shrinkPushes(s, func() bool { return run(s) != nil })
		rt.Fatalf("%v\nThe pushes, as a scenario:\n\n%s", run(s), s)
	}
}

// shrinkPushes leaves out steps and items for as long as the scenario fails.
func shrinkPushes(s *scenario.Scenario, fails func() bool) {
	until := time.Now().Add(shrinkFor)
	for i := range slices.Backward(s.Steps) {
		all := s.Steps
		if s.Steps = slices.Delete(slices.Clone(all), i, i+1); !fails() {
			s.Steps = all
		}
	}
	for _, step := range s.Steps {
		push, ok := step.Do.(*scenario.Push)
		if !ok {
			continue
		}
		for b := len(push.Blocks) - 1; b >= 0; b-- {
			for i := len(push.Blocks[b].Items) - 1; i >= 0 && time.Now().Before(until); i-- {
				all := push.Blocks[b].Items
				if push.Blocks[b].Items = slices.Delete(slices.Clone(all), i, i+1); !fails() {
					push.Blocks[b].Items = all
				}
			}
			all := push.Blocks
			if push.Blocks = slices.Delete(slices.Clone(all), b, b+1); !fails() {
				push.Blocks = all
			}
		}
	}
}

func wildBlock(t *rapid.T) scenario.Block {
	b := scenario.Block{Worker: rapid.SampledFrom([]string{"A", "B"}).Draw(t, "worker")}
	if rapid.IntRange(0, 3).Draw(t, "with pid") == 0 {
		b.Extra = scenario.Attrs{{Key: "process.pid", Value: rapid.SampledFrom([]string{"1", "2", `""`, "x"}).Draw(t, "pid")}}
	}
	for range rapid.IntRange(0, 4).Draw(t, "items") {
		if rapid.IntRange(0, 9).Draw(t, "signal") == 0 {
			state := rapid.SampledFrom([]string{"running", "quiet", "goodbye", "7", "-1"}).Draw(t, "state")
			b.Items = append(b.Items, &scenario.Signal{State: state, Time: wildTime(t)})
			continue
		}
		b.Items = append(b.Items, wildPoint(t))
	}
	return b
}

func wildTime(t *rapid.T) string {
	return rapid.SampledFrom([]string{"0", "0s", "1", "2", "3", "10", "20", "30", "-5", "1000000", "max"}).Draw(t, "time")
}

func wildNumber(t *rapid.T) string {
	return rapid.SampledFrom([]string{
		"0", "1", "2", "5", "100", "-1", "9223372036854775807", "-9223372036854775808",
		"0.5", "0.1", "-0.1", "1e308", "-1e308", "1.7976931348623157e308", "5e-324", "NaN", "+Inf", "-Inf", "none", "empty",
	}).Draw(t, "number")
}

func wildFloat(t *rapid.T) string {
	return rapid.SampledFrom([]string{"0", "1", "2", "3", "0.5", "-1", "1e308", "-1e308", "5e-324", "NaN", "+Inf", "-Inf"}).Draw(t, "float")
}

func wildList(t *rapid.T, of func(*rapid.T) string) string {
	var parts []string
	for range rapid.IntRange(0, 4).Draw(t, "length") {
		parts = append(parts, of(t))
	}
	return "[" + strings.Join(parts, ",") + "]"
}

func wildCount(t *rapid.T) string {
	return rapid.SampledFrom([]string{"0", "1", "2", "3", "7", "4294967296", "9223372036854775808", "18446744073709551615", "0x170", "1x170"}).Draw(t, "count")
}

func wildPoint(t *rapid.T) *scenario.Point {
	handle := rapid.SampledFrom([]string{"c", "inc", "u", "du", "g", "h", "hinc", "eh", "ehinc", "s", "odd"}).Draw(t, "handle")
	p := &scenario.Point{Handle: handle, Start: wildTime(t), Time: wildTime(t)}
	if rapid.IntRange(0, 3).Draw(t, "attributes") == 0 {
		p.Attrs = scenario.Attrs{{Key: "k", Value: rapid.SampledFrom([]string{"1", "1.0", `"1"`, `""`}).Draw(t, "k")}}
	}
	add := func(key string, value func(*rapid.T) string) {
		if rapid.IntRange(0, 4).Draw(t, key) > 0 {
			p.Fields = append(p.Fields, scenario.Field{Key: key, Value: value(t)})
		}
	}
	counts := func(t *rapid.T) string { return wildList(t, wildCount) }
	switch handle {
	case "inc", "du":
		p.Fields = []scenario.Field{{Key: "+=", Value: wildNumber(t)}}
	case "h", "hinc":
		add("bounds", func(t *rapid.T) string {
			return rapid.SampledFrom([]string{"[]", "[1]", "[1,3]", "[1,2,3]", "[3,1]", "[0,NaN]", "[-Inf,0]", "[1,+Inf]"}).Draw(t, "bounds")
		})
		add("counts", counts)
	case "eh", "ehinc":
		offset := func(t *rapid.T) string {
			return rapid.SampledFrom([]string{"0", "1", "-1", "100", "2147483647", "-2147483648", "1000000000"}).Draw(t, "offset")
		}
		add("scale", func(t *rapid.T) string { return strconv.Itoa(rapid.IntRange(-6, 22).Draw(t, "scale")) })
		add("threshold", wildFloat)
		add("zero", func(t *rapid.T) string {
			return rapid.SampledFrom([]string{"0", "1", "5", "18446744073709551615"}).Draw(t, "zero")
		})
		add("offset", offset)
		add("pos", counts)
		add("negoffset", offset)
		add("neg", counts)
	case "s":
		add("count", func(t *rapid.T) string { return strconv.FormatUint(rapid.Uint64().Draw(t, "count"), 10) })
		add("sum", wildFloat)
		return p
	default:
		p.Fields = []scenario.Field{{Key: "=", Value: wildNumber(t)}}
		return p
	}
	if handle == "inc" || handle == "du" {
		return p
	}
	add("sum", wildFloat)
	add("min", wildFloat)
	add("max", wildFloat)
	return p
}
