package payload

import (
	"fmt"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

// WorkerAttribute names the worker on its resource.
const WorkerAttribute = "service.instance.id"

// GroupAttributes are the resource attributes that all workers of a fleet share.
var GroupAttributes = []string{"service.namespace", "service.name", "deployment.environment.name"}

// Fleet makes the pushes of workers that all export one shape. They push in
// turn; one push may carry several of them, as one through an agent does.
type Fleet struct {
	shape   Shape
	workers []worker
	perPush int
	name    string
	born    int
	next    int
	ticks   []uint64 // by service
	last    pcommon.Timestamp
	tree    pmetric.Metrics
}

// Size is how large a fleet is. Zero values mean 1.
type Size struct {
	// Workers is how many live at once.
	Workers int
	// PerPush is how many of them share a push.
	PerPush int
	// Services is among how many services they are dealt out in turn.
	Services int
}

type worker struct {
	id     string
	pid    int64
	start  pcommon.Timestamp
	pushes uint64
}

// NewFleet makes a fleet of workers that have not pushed yet.
func NewFleet(shape Shape, size Size) *Fleet {
	workers, perPush := max(size.Workers, 1), max(size.PerPush, 1)
	if workers%perPush != 0 {
		panic(fmt.Sprintf("%d workers do not fill pushes of %d", workers, perPush))
	}
	f := &Fleet{
		shape: shape, name: "6ba7b810", workers: make([]worker, workers), perPush: perPush,
		ticks: make([]uint64, max(size.Services, 1)),
		last:  pcommon.NewTimestampFromTime(time.Now()),
		tree:  pmetric.NewMetrics(),
	}
	for range perPush {
		rm := f.tree.ResourceMetrics().AppendEmpty()
		resource(rm.Resource().Attributes())
		shape.lay(rm)
	}
	f.Replace()
	return f
}

// resource has what SDKs put there by default. The worker's own are filled in later.
func resource(attrs pcommon.Map) {
	attrs.PutStr("service.name", "")
	attrs.PutStr("service.namespace", "shop")
	attrs.PutStr("deployment.environment.name", "production")
	attrs.PutStr(WorkerAttribute, "")
	attrs.PutInt("process.pid", 0)
	attrs.PutStr("telemetry.sdk.name", "opentelemetry")
	attrs.PutStr("telemetry.sdk.language", "python")
	attrs.PutStr("telemetry.sdk.version", "1.40.0")
}

func serviceName(i int) string { return fmt.Sprintf("checkout-%d", i) }

// Replace lets every worker die unseen and puts a new one in its place.
func (f *Fleet) Replace() {
	for i := range f.workers {
		f.born++
		f.workers[i] = worker{
			id:    fmt.Sprintf("%s-9dad-11d1-80b4-%012x", f.name, f.born),
			pid:   int64(f.born),
			start: f.tick(),
		}
	}
	f.next = 0
}

// Name puts new workers in place of all, whose names begin with the given word.
func (f *Fleet) Name(word string) {
	f.name = word
	f.Replace()
}

// Resource is that of the worker that pushed last.
func (f *Fleet) Resource() pcommon.Resource {
	return f.tree.ResourceMetrics().At(f.perPush - 1).Resource()
}

// tick is now, but never the same twice: tools that keep one order per output
// series lose what two workers export at the same time.
func (f *Fleet) tick() pcommon.Timestamp {
	f.last = max(f.last+1000, pcommon.NewTimestampFromTime(time.Now()))
	return f.last
}

// Next makes the next push. It is valid until the next call.
func (f *Fleet) Next() pmetric.Metrics {
	for _, rm := range f.tree.ResourceMetrics().All() {
		service := f.next % len(f.ticks)
		w := &f.workers[f.next]
		f.next = (f.next + 1) % len(f.workers)
		w.pushes++
		f.ticks[service]++
		attrs := rm.Resource().Attributes()
		attrs.PutStr("service.name", serviceName(service))
		attrs.PutStr(WorkerAttribute, w.id)
		attrs.PutInt("process.pid", w.pid)
		set(rm, w.pushes, w.start, f.tick())
	}
	return f.tree
}

// Round is how many pushes it takes until every worker has pushed once more.
func (f *Fleet) Round() int { return len(f.workers) / f.perPush }

// PushPoints is how many data points one push carries.
func (f *Fleet) PushPoints() int { return f.shape.Points * f.perPush }

// Workers is how many workers live at once.
func (f *Fleet) Workers() int { return len(f.workers) }

// Streams is how many streams live at once.
func (f *Fleet) Streams() int { return f.shape.Points * len(f.workers) }

// Series is how many series the workers share.
func (f *Fleet) Series() int { return f.shape.Points * len(f.ticks) }

// Labels lists every attribute a data point has.
func (f *Fleet) Labels() []string { return f.shape.Labels }

// Want is what the totals must be after all pushes so far.
func (f *Fleet) Want() Totals {
	want := Totals{}
	for service, ticks := range f.ticks {
		md := pmetric.NewMetrics()
		rm := md.ResourceMetrics().AppendEmpty()
		rm.Resource().Attributes().PutStr("service.name", serviceName(service))
		f.shape.lay(rm)
		set(rm, ticks, 0, f.last)
		want.Add(md)
	}
	return want
}

// Has reports whether the shape has metrics of the type.
func (f *Fleet) Has(t pmetric.MetricType) bool {
	found := false
	Metrics(f.tree, func(_ pmetric.ResourceMetrics, _ pmetric.ScopeMetrics, m pmetric.Metric) {
		found = found || m.Type() == t
	})
	return found
}
