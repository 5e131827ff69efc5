package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// String writes the scenario so that Parse reads it again.
func (s *Scenario) String() string {
	var b strings.Builder
	if s.Config != "" {
		b.WriteString("config:\n" + s.Config)
	}
	for _, w := range s.Workers {
		b.WriteString("worker " + w.Name)
		for _, a := range w.Attrs {
			b.WriteString(" " + a.Key + "=" + a.Value)
		}
		b.WriteByte('\n')
	}
	for _, m := range s.Metrics {
		b.WriteString(m.String() + "\n")
	}
	for _, step := range s.Steps {
		b.WriteString(step.Do.String() + "\n")
	}
	return b.String()
}

func (c *Clock) String() string {
	if c.Relative {
		return "now=+" + formatDuration(c.To)
	}
	return "now=" + formatDuration(c.To)
}

func (p *Push) String() string {
	var words []string
	context := &Point{}
	for _, b := range p.Blocks {
		words = append(words, b.Worker+b.Extra.String())
		for _, item := range b.Items {
			words = append(words, item.text(context))
		}
	}
	return strings.Join(words, " ") + p.Answer.String()
}

// text writes the point, and its times where they differ from the context.
func (p *Point) text(context *Point) string {
	var words []string
	if p.Start != context.Start {
		words = append(words, "start="+orZero(p.Start))
	}
	if p.Time != context.Time {
		words = append(words, "t="+orZero(p.Time))
	}
	context.Start, context.Time = p.Start, p.Time
	return strings.Join(append(words, p.String()), " ")
}

func orZero(instant string) string {
	if instant == "" {
		return "0"
	}
	return instant
}

// String writes the point without its times.
func (p *Point) String() string {
	var b strings.Builder
	b.WriteString(p.Handle + p.Attrs.String())
	for _, f := range p.Fields {
		switch f.Key {
		case "=", "+=":
			b.WriteString(f.Key + f.Value)
		case "none":
			b.WriteString(" none")
		default:
			b.WriteString(" " + f.Key + "=" + f.Value)
		}
	}
	return strings.TrimPrefix(b.String(), "=")
}

func (s *Signal) text(context *Point) string {
	text := s.State
	if !slices.Contains(states, s.State) {
		text = "signal=" + s.State
	}
	if s.Reason != "" {
		text += fmt.Sprintf(" reason=%q", s.Reason)
	}
	if s.Time != context.Time {
		context.Time = s.Time
		text = "t=" + orZero(s.Time) + " " + text
	}
	return text
}

// String is " -> error ...", or nothing for a push that succeeds.
func (a Answer) String() string {
	switch {
	case a.Any:
		return " -> any"
	case !a.Error:
		return ""
	}
	text := " -> error"
	if a.Kind != "" {
		text += " " + a.Kind
	}
	if a.Match != "" {
		text += " /" + a.Match + "/"
	}
	return text
}

func (o *Out) String() string    { return "out" + expectText(o.Expect) }
func (e *Ended) String() string  { return "ended" + expectText(e.Expect) }
func (p *Passed) String() string { return "passed" + expectText(p.Expect) }

func expectText(expect []Expect) string {
	var b strings.Builder
	where := ""
	for _, e := range expect {
		if e.Where != where {
			where = e.Where
			b.WriteString(" " + where)
		}
		if e.Absent {
			b.WriteString(" no")
		}
		if e.Series >= 0 {
			b.WriteString(" series=" + strconv.Itoa(e.Series))
		} else {
			b.WriteString(" " + e.Point.String())
		}
	}
	return b.String()
}

func (s *Self) String() string {
	var b strings.Builder
	b.WriteString("self")
	for _, v := range s.Values {
		fmt.Fprintf(&b, " %s%s%s%d", v.Name, v.Attrs, v.Op, v.Value)
	}
	return b.String()
}

func (l *Log) String() string {
	switch l.Times {
	case -1:
		return fmt.Sprintf("log %s /%s/", l.Level, l.Match)
	case 0:
		return fmt.Sprintf("log no %s /%s/", l.Level, l.Match)
	}
	return fmt.Sprintf("log %s %d /%s/", l.Level, l.Times, l.Match)
}

func (c *Collector) String() string { return c.What }
func (s *Storage) String() string   { return "storage " + s.What }
func (s *Sink) String() string      { return "sink " + s.What }
