package workeragg

import (
	"slices"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
	"github.com/otelcol-workers/otelcol-workers/receiver/workeragg/internal/registry"
)

// block is the data of one resource in a push, and the life that it names.
type block struct {
	resource pcommon.Resource
	life     *registry.Worker
}

// observe names the resource, if it needs a name, and takes note of its worker.
func (r *workerReceiver) observe(p *push, resource pcommon.Resource, newest int64, metrics bool) block {
	p.identify(resource)
	return block{resource, r.registry.Observe(resource, registry.Sighting{
		Now:     time.Now().UnixNano(),
		Newest:  newest,
		Conn:    p.conn,
		Metrics: metrics,
	})}
}

// learnName makes the worker of a push answer to the name in its header, even
// if its resource has another one.
func (r *workerReceiver) learnName(p *push, blocks []block) {
	if p.workerID == "" || !ofOneWorker(blocks) || blocks[0].life == nil {
		return
	}
	for _, b := range blocks {
		r.registry.Alias(b.life, p.workerID)
	}
}

// ofOneWorker reports whether all blocks are of the same worker. A single one
// is, even if nobody knows whose.
func ofOneWorker(blocks []block) bool {
	if len(blocks) <= 1 {
		return len(blocks) == 1
	}
	return !slices.ContainsFunc(blocks[1:], func(b block) bool { return !registry.SameWorker(blocks[0].life, b.life) })
}

// ofSender are the blocks of the life that the push's headers speak of, one per
// life, the last of each. They are none if the headers speak of somebody else.
func (r *workerReceiver) ofSender(p *push, blocks []block) ([]int, error) {
	if p.workerID == "" && !ofOneWorker(blocks) {
		return nil, badInput("header %s needs %s: the push has data of several workers", lifecycle.HeaderState, r.idHeader())
	}
	var chosen []int
	for i, b := range slices.Backward(blocks) {
		meant := p.workerID == "" || r.registry.AnswersTo(b.life, p.workerID)
		if meant && p.meansLife(b.resource) && !slices.ContainsFunc(chosen, func(c int) bool { return blocks[c].life == b.life }) {
			chosen = append(chosen, i)
		}
	}
	if p.workerID == "" && len(chosen) == 0 {
		return nil, badInput("header %s is %q, but the data is of another life: header %s is needed", lifecycle.HeaderIncarnation, p.incarnation, r.idHeader())
	}
	return chosen, nil
}

// meansLife reports whether the resource is not of another life than the header's.
func (p *push) meansLife(resource pcommon.Resource) bool {
	if p.incarnation == "" {
		return true
	}
	v, ok := resource.Attributes().Get(lifecycle.AttrIncarnation)
	return ok && v.AsString() == p.incarnation
}
