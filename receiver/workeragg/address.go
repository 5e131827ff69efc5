package workeragg

import (
	"context"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
	"github.com/otelcol-workers/otelcol-workers/receiver/workeragg/internal/registry"
)

// query is how a push without data names its worker.
func (p *push) query() registry.Query {
	return registry.Query{Name: p.workerID, Incarnation: p.incarnation}
}

// signal is what a push says of its sender, by default that it lives.
func (p *push) signal() signal {
	return signal{
		Signal: lifecycle.Signal{State: p.state, Reason: reasonOf(p.state, lifecycle.ReasonGoodbye), Time: timestamp()},
		source: sourceHeader,
	}
}

// addressee is where a signal without data goes.
type addressee struct {
	resource pcommon.Resource
	// known says that the resource is where the worker's data goes.
	known bool
	// life is nil if the registry has no entry or cannot tell which.
	life *registry.Worker
}

// resolve finds where the data of a worker goes. A worker that the receiver has
// never met is addressed with what the signal carries.
func (r *workerReceiver) resolve(q registry.Query) (addressee, error) {
	to, known, err := r.registry.Resolve(q)
	if err != nil {
		return addressee{}, err
	}
	if known {
		return addressee{resource: to.Resource, known: true, life: to.Life}, nil
	}
	resource := pcommon.NewResource()
	attrs := resource.Attributes()
	if q.Resource != (pcommon.Map{}) {
		q.Resource.CopyTo(attrs)
	}
	if q.PID != 0 {
		attrs.PutInt(lifecycle.AttrPID, q.PID)
	}
	if q.Incarnation != "" {
		attrs.PutStr(lifecycle.AttrIncarnation, q.Incarnation)
	}
	if !answersTo(attrs, q.Name) {
		attrs.PutStr(lifecycle.AttrWorkerID, q.Name)
	}
	return addressee{resource: resource}, nil
}

// answersTo reports whether the attributes name the worker so already. To add
// worker.id would then make it another worker than the one that pushes.
func answersTo(attrs pcommon.Map, name string) bool {
	for _, candidate := range lifecycle.Candidates {
		if own, ok := candidate.Name(attrs); ok {
			return own == name
		}
	}
	return false
}

// signalTo sends a signal without data to the worker that is meant. It reports
// whether the receiver knows that worker.
func (r *workerReceiver) signalTo(ctx context.Context, q registry.Query, s signal, conn *registry.Conn) (bool, error) {
	to, err := r.resolve(q)
	if err != nil {
		r.countFenced(ctx, err)
		return false, err
	}
	s.life = to.life
	if err := r.send(ctx, s.asMetrics(to.resource), s); err != nil {
		return to.known, err
	}
	seen := registry.Sighting{Now: time.Now().UnixNano(), Conn: conn, Metrics: true, Announced: true}
	if s.life != nil {
		r.registry.Sighted(s.life, seen)
	} else if s.State != lifecycle.Terminated && (!to.known || q.NamesLife()) {
		// A life that has announced itself. Of one that is dead there is nothing to remember.
		if life := r.registry.Observe(to.resource, seen); life != nil {
			r.registry.Applied(life, s.Signal, s.source)
		}
	}
	return to.known, nil
}

// consumeNothing sends the signal of a push that has no data, for which the
// stock receiver does nothing but answer. Without a state it is a heartbeat.
func (r *workerReceiver) consumeNothing(ctx context.Context, p *push) error {
	if p.workerID == "" {
		if p.saysState {
			return badInput("header %s needs %s: the push has no data that names a worker", lifecycle.HeaderState, r.idHeader())
		}
		return nil
	}
	if r.nextMetrics == nil {
		return nil
	}
	_, err := r.signalTo(ctx, p.query(), p.signal(), p.conn)
	return err
}
