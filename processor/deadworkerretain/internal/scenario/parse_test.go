package scenario

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/series"
)

const everything = `config:
  output: split
worker A service.instance.id=a process.pid=7
metric jobs sum name="jobs.done" unit="{job}" description="as it says" scope="lib@1.2" scope_attrs={x=1}
metric odd unspecified
now=0
A start=100 t=110 c=10 h bounds=[1,3] counts=[1,2,2] sum=7 B{x="7"} start=-5 t=0.5 d{m=GET}+=5 c=2.5 -> error permanent /odd/
A start=0s t=10 d+=3 start=0 t=30 g=NaN ex=3@105{user=7} goodbye reason="reported"
A t=1 eh scale=2 offset=1 pos=[1,1] zero=2 s count=2 sum=3 q0.5=1 c=none h none signal=7
now=+0.1
out c=5 start=same h le1=1 le+Inf=3 no g total c{m=GET}=3 retained c=1 series=4 A c=1
ended u
passed c=5
self folds{reason=goodbye}=1 lives<=5
log warn /x y/
log no info /z/
log warn 2 /z/
restart
storage fails
sink refuses
`

func TestTextAndBack(t *testing.T) {
	s, err := Parse("everything", everything)
	require.NoError(t, err)
	require.Equal(t, everything, s.String())
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"c=10":                      "test:1: \"c=10\" stands before any worker",
		"A (c=10":                   "not closed",
		"A c":                       "\"c\" is neither a worker, a point",
		"A {c=1":                    "closing bracket",
		"metric x sumo":             "metric kind \"sumo\"",
		"out series=many":           "not a number of series",
		"log warn x":                "not a regular expression",
		"self x~3":                  "expected name{attribute=value}",
		"storage burns":             "expected one of fails, works",
		"now=soon":                  "neither seconds nor a duration",
		"for i in 1..2\nA c=1":      "line 1: the loop has no end",
		"for i in 1..2\n$(j)\nend":  "neither a whole number nor i",
		"out 1 -> ok":               "does not follow a push",
		"restart now":               "after restart",
		"worker a x=1":              "begins with a capital letter",
		"\n\nA c=1 -> error /a":     "test:3:",
		"out no c=4":                "has no value",
		"metric x sum colour=\"r\"": "expected name, unit",
	} {
		_, err := Parse("test", text)
		require.ErrorContains(t, err, want, text)
	}
}

func TestLoop(t *testing.T) {
	s, err := Parse("loop", "for i in 0..2\n  W$i start=$(1000+300*i) c=$i # comment\nend\n")
	require.NoError(t, err)
	require.Equal(t, "W0 start=1000 c=0\nW1 start=1300 c=1\nW2 start=1600 c=2\n", s.String())
}

func TestPayload(t *testing.T) {
	s, err := Parse("payload", everything)
	require.NoError(t, err)
	base := time.Unix(1000, 0)
	md, err := s.Payload(s.Steps[1].Do.(*Push), base)
	require.NoError(t, err)
	points := series.Flatten(md)
	require.Len(t, points, 4)
	c, h, d := points[0], points[1], points[2]
	require.Equal(t, series.ID{Resource: "{process.pid=7, service.instance.id=a}", Metric: "c", Kind: series.Counter}, c.ID)
	require.Equal(t, series.IntNumber(10), c.Number)
	require.Equal(t, base.Add(100*time.Second), c.Start.AsTime().Local())
	require.Equal(t, uint64(5), h.Hist.Count)
	require.Equal(t, 7.0, *h.Hist.Sum)
	require.Equal(t, `{service.instance.id=B, x="7"}`, d.ID.Resource)
	require.Equal(t, `{m=GET}`, d.ID.Attrs)
	require.Equal(t, base.Add(-5*time.Second), d.Start.AsTime().Local())
	require.Equal(t, series.FloatNumber(2.5), points[3].Number)
}
