package report

import "fmt"

// Target is a promise about speed or memory, kept or not.
type Target struct {
	Name string
	// Goal is the promise in words.
	Goal string
	// Got is what was measured, in words.
	Got   string
	State State
}

// State says whether a target was met.
type State string

// The states of a target.
const (
	Met         State = "met"
	Missed      State = "not met"
	NotMeasured State = "not measured"
	// Beside is no target's: a value to compare the one above with.
	Beside State = ""
)

const (
	steady = "Steady/payload=%s/workers=100/contender=%s"
	quiet  = "quiet-ns/op"
)

// Targets checks all of them.
func Targets(r Results) []Target {
	ours := fmt.Sprintf(steady, "numbers-1k", "ours")
	against := func(payload, contender string) string { return fmt.Sprintf(steady, payload, contender) }
	const (
		hold  = "Hold/flush=running"
		alone = "Hold/flush=running/gc=off"
		none  = "Hold/flush=none"
		flush = "Flush/payload=numbers/series=200000/workers=200"
	)
	targets := []Target{
		r.most("steady state, numbers: time, by that of decoding them", 0.3, ours, quiet, against("numbers-1k", "decode"), quiet),
		r.mostAllocations("steady state, numbers: allocations a point", 0.01, ours),
		r.least("steady state, numbers: times as fast as cumulativetodelta + deltatocumulative", 6, against("numbers-1k", "trio"), quiet, ours, quiet),
		r.least("steady state, numbers: times as fast as streamaggr total", 3, against("numbers-1k", "streamaggr"), quiet, ours, quiet),
		r.most("steady state, histograms of 50 buckets: time, by that of decoding them", 0.3, against("histograms", "ours"), quiet, against("histograms", "decode"), quiet),
		r.least("whole collector: throughput, by that of the stock otlp receiver", 0.9, "Whole/collector=ours", "points/s", "Whole/collector=stock", "points/s"),
		r.mostValue("heap of a living number stream, in bytes", 120, "Heap/payload=numbers/contender=ours", "heap-B/stream"),
		r.memoryOfTheDead(),
		r.most("flush of 200,000 series: time, by that of marshalling them", 1, flush, "ns/op", flush, "marshal-ns/op"),
		r.beside("a plain copy of the same output: time, by that of marshalling it", flush, "copy-ns/op", flush, "marshal-ns/op"),
		r.most("slowest push during flushes of 200,000 series, by the median push", 10, hold, "slowest-ns", hold, "median-ns"),
		r.beside("the slowest push without any flush", none, "slowest-ns", none, "median-ns"),
		r.beside("all but one in a thousand pushes during flushes, without garbage collection", alone, "p999-ns", alone, "median-ns"),
		r.cores(),
		r.coresOfDecoding(),
		r.most("goodbye of 1,000 streams: time, by that of a push of them", 2, "Goodbye/others=0", quiet, "Goodbye/others=0", "quiet-push-ns/op"),
		r.most("goodbye beside 1,000 other workers, by that without any", 1.5, "Goodbye/others=1000", quiet, "Goodbye/others=0", quiet),
		r.most("time a point with 1,000,000 living streams, by that with 1,000", 1.5, "Growth/streams=1000000", quiet, "Growth/streams=1000", quiet),
	}
	return targets
}

func (r Results) most(name string, limit float64, a, aUnit, b, bUnit string) Target {
	v, ok := r.Ratio(a, aUnit, b, bUnit)
	return target(name, fmt.Sprintf("at most %v", limit), v, ok, v <= limit)
}

func (r Results) least(name string, limit float64, a, aUnit, b, bUnit string) Target {
	v, ok := r.Ratio(a, aUnit, b, bUnit)
	return target(name, fmt.Sprintf("at least %v", limit), v, ok, v >= limit)
}

func (r Results) mostValue(name string, limit float64, bench, unit string) Target {
	v, ok := r.Get(bench, unit)
	return target(name, fmt.Sprintf("at most %v", limit), v, ok, v <= limit)
}

func (r Results) mostAllocations(name string, limit float64, bench string) Target {
	v, ok := r.PerPoint(bench, "allocs/op")
	return target(name, "0", v, ok, v <= limit)
}

// memoryOfTheDead compares what is left of many dead workers with what is left
// of few, when their tombstones have gone.
func (r Results) memoryOfTheDead() Target {
	few, ok1 := r.Get("Dead/dead=10", "gone-kB")
	many, ok2 := r.Get("Dead/dead=100000", "gone-kB")
	perWorker := (many - few) * 1000 / (100_000 - 10)
	return target("memory kept a dead worker, 100,000 dead against 10, in bytes", "0", perWorker, ok1 && ok2, perWorker < 1)
}

// beside is a value without a goal.
func (r Results) beside(name, a, aUnit, b, bUnit string) Target {
	v, ok := r.Ratio(a, aUnit, b, bUnit)
	return besides(name, v, ok)
}

func besides(name string, v float64, measured bool) Target {
	t := target(name, "", v, measured, false)
	if measured {
		t.State = Beside
	}
	return t
}

// coresOfDecoding is what the machine has to give: decoding shares nothing.
func (r Results) coresOfDecoding() Target {
	v, ok := r.Ratio("Cores/contender=decode/cores=1", quiet, "Cores/contender=decode/cores=2", quiet)
	return besides("the same for decoding, which shares nothing", 2*v, ok)
}

// cores compares the points a second of two cores with those of one.
func (r Results) cores() Target {
	v, ok := r.Ratio("Cores/contender=ours/cores=1", quiet, "Cores/contender=ours/cores=2", quiet)
	return target("points a second on 2 cores, by that on one", "at least 1.7", 2*v, ok, 2*v >= 1.7)
}

// PerPoint divides a value per push by the points of a push.
func (r Results) PerPoint(bench, unit string) (float64, bool) {
	v, ok1 := r.Get(bench, unit)
	points, ok2 := r.Get(bench, "points/op")
	if !ok1 || !ok2 || points == 0 {
		return 0, false
	}
	return v / points, true
}

func target(name, goal string, v float64, measured, met bool) Target {
	t := Target{Name: name, Goal: goal, Got: Number(v), State: Missed}
	switch {
	case !measured:
		t.Got, t.State = "", NotMeasured
	case met:
		t.State = Met
	}
	return t
}
