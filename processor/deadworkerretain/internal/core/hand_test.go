package core

import (
	"strconv"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"pgregory.net/rapid"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// hand is a worker of a random history. It counts and says what it has counted;
// the table under test decides what becomes of that.
type hand struct {
	id, host, pid, incarnation, service string
	start                               int64
	t                                   int64
	value                               map[string]int64
	bounds                              []float64
	scale                               int32
}

func newHand(t *rapid.T, now Instant) *hand {
	h := &hand{
		id:      rapid.SampledFrom([]string{"a", "b", "c", ""}).Draw(t, "worker"),
		pid:     rapid.SampledFrom([]string{"", "1", "2"}).Draw(t, "pid"),
		service: rapid.SampledFrom([]string{"shop", "shop", "bank"}).Draw(t, "service"),
		value:   map[string]int64{},
		bounds:  rapid.SampledFrom([][]float64{{1, 3}, {1, 3, 7, 15}, {2}, {}}).Draw(t, "bounds"),
		scale:   rapid.Int32Range(-2, 3).Draw(t, "scale"),
		start:   now.Wall - int64(rapid.IntRange(0, 5).Draw(t, "age"))*int64(time.Second),
		t:       now.Wall,
	}
	if h.pid != "" && rapid.Bool().Draw(t, "named late") {
		h.host = "host"
	}
	switch rapid.IntRange(0, 7).Draw(t, "how") {
	case 0:
		h.start = 0
	case 1:
		h.incarnation = "i"
	}
	return h
}

// kinds are the metrics that a hand may push.
var kinds = []string{
	"int", "float", "hist", "exp", "summary", "delta", "delta.hist", "delta.exp",
	"gauge", "gauge.sum", "gauge.max", "gauge.last", "updown", "delta.updown",
}

// request is what the hand pushes: some of its metrics, grown a little.
func (h *hand) request(t *rapid.T, now Instant) pmetric.Metrics {
	h.t = max(h.t+1, now.Wall-rapid.Int64Range(0, int64(time.Second)).Draw(t, "delay"))
	md := pmetric.NewMetrics()
	rm := md.ResourceMetrics().AppendEmpty()
	h.resource(t, rm.Resource().Attributes())
	sm := rm.ScopeMetrics().AppendEmpty()
	sm.Scope().SetName("scope")
	for _, kind := range rapid.SliceOfNDistinct(rapid.SampledFrom(kinds), 1, 5, rapid.ID[string]).Draw(t, "metrics") {
		p := &pushing{h: h, t: t, kind: kind, k: rapid.SampledFrom([]string{"x", "x", "y"}).Draw(t, "attribute")}
		p.metric(sm.Metrics().AppendEmpty())
	}
	return md
}

// resource is who the hand says it is. One that has a host may say its worker.id
// only later.
func (h *hand) resource(t *rapid.T, m pcommon.Map) {
	id := h.id
	if h.host != "" && rapid.Bool().Draw(t, "not yet named") {
		id = ""
	}
	m.PutStr("service.name", h.service)
	for _, a := range [][2]string{
		{"worker.id", id}, {"host.name", h.host}, {"process.pid", h.pid}, {"worker.incarnation", h.incarnation},
	} {
		k, v := a[0], a[1]
		if v != "" {
			m.PutStr(k, v)
		}
	}
	m.PutStr("descriptive", strconv.FormatInt(h.t%3, 10))
}

// signal adds a lifecycle signal to a request.
func signal(md pmetric.Metrics, s lifecycle.Signal) pmetric.Metrics {
	s.AppendTo(md.ResourceMetrics().At(0))
	return md
}

// pushing is one metric on its way into a request.
type pushing struct {
	h    *hand
	t    *rapid.T
	kind string
	k    string
}

// grow adds a little to what the hand has counted, or begins again.
func (p *pushing) grow() int64 {
	key := p.kind + p.k
	if p.h.start == 0 && rapid.IntRange(0, 5).Draw(p.t, "reset") == 0 {
		p.h.value[key] = 0
	}
	p.h.value[key] += rapid.Int64Range(0, 9).Draw(p.t, "add")
	return p.h.value[key]
}

func (p *pushing) stamp(dp interface {
	SetStartTimestamp(pcommon.Timestamp)
	SetTimestamp(pcommon.Timestamp)
	Attributes() pcommon.Map
}, delta bool,
) {
	start := p.h.start
	switch {
	case delta:
		start = p.h.t - int64(time.Second)
	case rapid.IntRange(0, 9).Draw(p.t, "unknown start") == 0:
		start = p.h.t
	}
	dp.SetStartTimestamp(pcommon.Timestamp(start))
	dp.SetTimestamp(pcommon.Timestamp(p.h.t))
	dp.Attributes().PutStr("k", p.k)
}
