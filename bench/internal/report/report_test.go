package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const sample = `goos: linux
pkg: x
BenchmarkSteady/payload=numbers-1k/workers=100/contender=ours-2   	 100	 250000 ns/op	 200000 quiet-ns/op	 1000 points/op	 5 allocs/op
BenchmarkSteady/payload=numbers-1k/workers=100/contender=decode-2 	 100	 1100000 ns/op	 1000000 quiet-ns/op	 1000 points/op	 13000 allocs/op
    some_test.go:21: a remark
BenchmarkSteady/payload=numbers-1k/workers=100/contender=ours-2   	 100	 350000 ns/op	 300000 quiet-ns/op	 1000 points/op	 5 allocs/op
BenchmarkSteady/payload=numbers-1k/workers=100/contender=decode-2 	 100	 2100000 ns/op	 2000000 quiet-ns/op	 1000 points/op	 13000 allocs/op
BenchmarkDead/dead=10 1 100 gone-kB
BenchmarkDead/dead=100000 1 150 gone-kB
outcome: two at once | trio | 30 | 330
outcome: two at once | ours | 330 | 330
PASS
`

func read(t *testing.T) Results {
	r := Results{}
	require.NoError(t, r.Read(strings.NewReader(sample)))
	return r
}

func TestTimesAreThoseOfTheBestRound(t *testing.T) {
	v, ok := read(t).Get("Steady/payload=numbers-1k/workers=100/contender=ours", quiet)
	assert.True(t, ok)
	assert.InDelta(t, 200000, v, 1e-9)
}

func TestRatiosAreOfOneRound(t *testing.T) {
	r := read(t)
	v, ok := r.Ratio("Steady/payload=numbers-1k/workers=100/contender=ours", quiet, "Steady/payload=numbers-1k/workers=100/contender=decode", quiet)
	assert.True(t, ok)
	assert.InDelta(t, 0.175, v, 1e-9)
	_, ok = r.Ratio("Steady/payload=numbers-1k/workers=100/contender=ours", quiet, "none", quiet)
	assert.False(t, ok)
}

func TestTargets(t *testing.T) {
	got := map[string]Target{}
	for _, tg := range Targets(read(t)) {
		got[tg.Name] = tg
	}
	tg := got["steady state, numbers: time, by that of decoding them"]
	assert.Equal(t, Met, tg.State)
	assert.Equal(t, "0.175", tg.Got)
	assert.Equal(t, Met, got["steady state, numbers: allocations a point"].State)
	assert.Equal(t, Met, got["memory kept a dead worker, 100,000 dead against 10, in bytes"].State)
	assert.Equal(t, NotMeasured, got["points a second on 2 cores, by that on one"].State)
	r := read(t)
	r.Add("Heap/payload=numbers/contender=ours", "heap-B/stream", 130)
	for _, tg := range Targets(r) {
		if strings.HasPrefix(tg.Name, "heap") {
			assert.Equal(t, Missed, tg.State)
		}
	}
}

func TestTables(t *testing.T) {
	r := read(t)
	assert.Equal(t, "| payload | ours | decode |\n| --- | ---: | ---: |\n| numbers-1k, workers 100 | 200 | 1000 |\n", r.PushTable("Steady", quiet))
	assert.Equal(t, "|  | gone-kB |\n| --- | ---: |\n| dead 10 | 100 |\n| dead 100000 | 150 |\n", r.Table("Dead", "gone-kB"))
	o, err := Outcomes(sample)
	require.NoError(t, err)
	assert.Equal(t, "| what happens | right | trio | ours |\n| --- | ---: | ---: | ---: |\n| two at once | 330 | **30** | 330 |\n", OutcomeTable(o))
	_, err = Outcomes("outcome: broken")
	assert.ErrorContains(t, err, "broken")
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 1234.5: "1234", 12.34: "12.3", 1.234: "1.23", 0.1234: "0.123", 0.0123: "0.012", 0.00001: "1e-05"} {
		assert.Equal(t, want, Number(v))
	}
}
