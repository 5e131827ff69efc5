package ledger

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
)

// Life is what the collector has acknowledged of one life of one worker.
type Life struct {
	// ID, Incarnation and PID are resource attributes; ID is worker.id or
	// service.instance.id. They are empty or 0 if absent.
	ID, Incarnation string
	PID             int
	// Pushes counts the acknowledged ones, Goodbyes those that said goodbye.
	Pushes, Goodbyes int

	values map[string]int64 // highest value of each cumulative stream
}

type books struct {
	mu      sync.Mutex
	lives   map[string]*Life
	refused int
}

func (b *books) enter(push pmetricotlp.ExportRequest, goodbye bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, rm := range push.Metrics().ResourceMetrics().All() {
		life := b.life(rm.Resource().Attributes())
		life.Pushes++
		said := goodbye
		for _, sm := range rm.ScopeMetrics().All() {
			for _, m := range sm.Metrics().All() {
				said = life.enter(m) || said
			}
		}
		if said {
			life.Goodbyes++
		}
	}
}

func (b *books) life(resource pcommon.Map) *Life {
	text := func(names ...string) string {
		for _, name := range names {
			if v, ok := resource.Get(name); ok {
				return v.AsString()
			}
		}
		return ""
	}
	life := Life{
		ID:          text("worker.id", "service.instance.id"),
		Incarnation: text("worker.incarnation"),
		values:      map[string]int64{},
	}
	if v, ok := resource.Get("process.pid"); ok {
		life.PID = int(v.Int())
	}
	key := strings.Join([]string{text("service.name"), life.ID, life.Incarnation, text("process.pid")}, "\x00")
	if b.lives[key] == nil {
		b.lives[key] = &life
	}
	return b.lives[key]
}

// enter reports whether the metric is a goodbye.
func (l *Life) enter(m pmetric.Metric) bool {
	switch m.Type() {
	case pmetric.MetricTypeGauge:
		for _, p := range m.Gauge().DataPoints().All() {
			if m.Name() == "worker.state" && p.IntValue()+int64(p.DoubleValue()) == 2 {
				return true
			}
		}
	case pmetric.MetricTypeSum:
		for _, p := range m.Sum().DataPoints().All() {
			stream := m.Name() + "\x00" + attributes(p.Attributes())
			l.values[stream] = max(l.values[stream], p.IntValue()+int64(p.DoubleValue()))
		}
	}
	return false
}

func attributes(m pcommon.Map) string {
	var pairs []string
	for k, v := range m.All() {
		pairs = append(pairs, k+"="+v.AsString())
	}
	slices.Sort(pairs)
	return strings.Join(pairs, "\x01")
}

func (b *books) refuse() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refused++
}

// Total is the sum of a counter over all lives and all attributes.
func (l *Ledger) Total(metric string) int64 {
	var total int64
	for _, life := range l.Lives() {
		total += life.Total(metric)
	}
	return total
}

// Total is the sum of a counter of this life over all attributes.
func (l *Life) Total(metric string) int64 {
	var total int64
	for stream, v := range l.values {
		if strings.HasPrefix(stream, metric+"\x00") {
			total += v
		}
	}
	return total
}

// Lives are copies of all lives that have pushed, in no order.
func (l *Ledger) Lives() []Life {
	l.books.mu.Lock()
	defer l.books.mu.Unlock()
	var all []Life
	for _, life := range l.books.lives {
		c := *life
		c.values = maps.Clone(life.values)
		all = append(all, c)
	}
	return all
}

// Refused counts the pushes that the collector has answered with an error.
func (l *Ledger) Refused() int {
	l.books.mu.Lock()
	defer l.books.mu.Unlock()
	return l.books.refused
}
