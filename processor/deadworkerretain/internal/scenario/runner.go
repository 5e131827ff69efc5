package scenario

import (
	"context"
	"errors"
	"fmt"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/processor"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/law"
	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/series"
)

// runner plays a scenario. Every flush it sees, expected or not, is checked
// against the laws.
type runner struct {
	scenario  *Scenario
	collector *collector
	law       law.Checker
	// base is second 0: the moment the processor first started.
	base time.Time
	// flushed and passed are what came with the last flush and the last push.
	flushed, passed []series.Point
	// starts are the start times at the last out, for start=same and start=new.
	starts map[series.ID]pcommon.Timestamp
	// ends counts the no-recorded-value points not yet asked for.
	ends map[series.ID]int
	// storageLost is whether what was stored has been damaged.
	storageLost bool
}

// Run plays a scenario against a processor and returns the first thing that is
// not as it should be. It must be called in a synctest bubble.
func Run(s *Scenario, factory processor.Factory) (err error) {
	r, err := begin(s, factory)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.collector.close()) }()
	for _, step := range s.Steps {
		if err := r.do(step.Do); err != nil {
			return fmt.Errorf("%s:%d: %s\n%w", s.Name, step.Line, step.Do, err)
		}
	}
	return nil
}

// begin starts a processor with the scenario's configuration.
func begin(s *Scenario, factory processor.Factory) (*runner, error) {
	c, err := newCollector(factory, s.Config)
	if err != nil {
		return nil, fmt.Errorf("%s: configuration: %w", s.Name, err)
	}
	r := &runner{
		scenario: s, collector: c, base: time.Now(),
		starts: map[series.ID]pcommon.Timestamp{}, ends: map[series.ID]int{},
	}
	forgets, _ := c.conf.Get("retained_ttl").(string)
	r.law.MayForget = forgets != ""
	if err := c.start(); err != nil {
		return nil, fmt.Errorf("%s: start: %w", s.Name, err)
	}
	return r, nil
}

func (r *runner) do(statement Statement) error {
	switch st := statement.(type) {
	case *Clock:
		return r.advance(st)
	case *Push:
		return r.push(st)
	case *Out:
		if err := r.flush(); err != nil {
			return err
		}
		defer r.rememberStarts()
		return r.compare(r.flushed, st.Expect)
	case *Ended:
		return r.ended(st.Expect)
	case *Passed:
		return r.compare(r.passed, st.Expect)
	case *Self:
		return r.self(st)
	case *Log:
		return r.log(st)
	case *Collector:
		return r.restart(st.What)
	case *Storage:
		return r.storage(st.What)
	case *Sink:
		r.collector.sink.refuse(st.What == "refuses")
		return nil
	}
	return fmt.Errorf("statement %T is unknown", statement)
}

func (r *runner) advance(c *Clock) error {
	to := r.base.Add(c.To)
	if c.Relative {
		to = time.Now().Add(c.To)
	}
	if to.Before(time.Now()) {
		return fmt.Errorf("the clock is at %s already", formatDuration(time.Since(r.base)))
	}
	time.Sleep(time.Until(to))
	return r.settle()
}

// flush waits for the next flush; a stopped collector has had its last.
func (r *runner) flush() error {
	if r.collector.running == nil {
		return r.settle()
	}
	since := time.Since(r.collector.startedAt)
	time.Sleep(r.collector.interval - since%r.collector.interval)
	r.flushed = nil
	return r.settle()
}

// settle lets the processor finish what the clock set off, and checks it.
func (r *runner) settle() error {
	synctest.Wait()
	for _, arrival := range r.collector.sink.take() {
		if errs := r.law.Flush(arrival.points, arrival.at); len(errs) > 0 {
			return fmt.Errorf("in the flush at %s: %w", formatDuration(arrival.at.Sub(r.base)), errors.Join(errs...))
		}
		r.flushed = arrival.points
		for _, p := range arrival.points {
			if p.NoRecorded {
				r.ends[p.ID]++
			}
		}
	}
	return nil
}

func (r *runner) push(push *Push) error {
	md, err := r.scenario.Payload(push, r.base)
	if err != nil {
		return err
	}
	if r.collector.running == nil {
		return errors.New("the collector does not run")
	}
	return push.Answer.check(r.consume(md))
}

// consume pushes a request and keeps what is forwarded meanwhile.
func (r *runner) consume(md pmetric.Metrics) error {
	for _, p := range series.Flatten(md) {
		r.law.Negative = r.law.Negative || observedNegative(&p)
	}
	md.MarkReadOnly() // the processor declares that it does not change its input
	got := r.collector.running.ConsumeMetrics(context.Background(), md)
	synctest.Wait()
	r.passed = nil
	for _, arrival := range r.collector.sink.take() {
		r.passed = append(r.passed, arrival.points...)
	}
	return got
}

// observedNegative reports whether the sum of a histogram or summary may fall.
func observedNegative(p *series.Point) bool {
	negative := func(v *float64) bool { return v != nil && *v < 0 }
	switch {
	case p.Hist != nil:
		return negative(p.Hist.Sum) || negative(p.Hist.Min)
	case p.Exp != nil:
		return negative(p.Exp.Sum) || negative(p.Exp.Min) || len(p.Exp.Neg.Counts) > 0
	case p.Summary != nil:
		return p.Summary.Sum < 0
	}
	return false
}

func (r *runner) rememberStarts() {
	for _, p := range r.flushed {
		r.starts[p.ID] = p.Start
	}
}
