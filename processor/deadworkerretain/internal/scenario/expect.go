package scenario

import (
	"errors"
	"fmt"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/series"
)

// compare checks every expected series and, if one is not as expected, shows
// all that were there.
func (r *runner) compare(points []series.Point, expect []Expect) error {
	var errs []error
	for _, e := range expect {
		if err := r.one(points, e); err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) > 0 {
		errs = append(errs, errors.New(r.describe(points)))
	}
	return errors.Join(errs...)
}

func (r *runner) one(points []series.Point, e Expect) error {
	found := r.find(points, e)
	if e.Series >= 0 {
		if len(found) != e.Series {
			return fmt.Errorf("%d series, expected %d", len(found), e.Series)
		}
		return nil
	}
	what := strings.TrimSpace(e.Where + " " + e.Point.Handle + e.Point.Attrs.String())
	switch {
	case e.Absent && len(found) > 0:
		return fmt.Errorf("%s is there", what)
	case e.Absent:
		return nil
	case len(found) == 0:
		return fmt.Errorf("%s is not there", what)
	case len(found) > 1 && e.Where != "total":
		return fmt.Errorf("%s is ambiguous: %d series", what, len(found))
	}
	got, want := series.Total(found), e.Point.Fields
	if e.Where == "total" {
		got, want = atCommonResolution(got, want)
	}
	for _, f := range want {
		if err := r.field(&got, f); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	if err := exemplars(&got, e.Point.Fields, r.base); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// find lists the points that an expectation speaks of. A point that ends its
// series is found only by who asks for it.
func (r *runner) find(points []series.Point, e Expect) []series.Point {
	ending := len(e.Point.Fields) > 0 && (e.Point.Fields[0].Key == "none" || e.Point.Fields[0].Value == "none" && e.Point.Fields[0].Key == "=")
	var out, byRule []series.Point
	for _, p := range points {
		if p.NoRecorded != ending || !r.where(&p, e.Where) {
			continue
		}
		if r.matches(&p, p.ID.Kind, e.Point) {
			out = append(out, p)
		}
		// A rule can make an up-down sum a counter.
		if p.ID.Kind == series.Counter && r.matches(&p, series.UpDown, e.Point) {
			byRule = append(byRule, p)
		}
	}
	if len(out) == 0 {
		return byRule
	}
	return out
}

func (r *runner) where(p *series.Point, where string) bool {
	switch {
	case where == "" || where == "total":
		return true
	case where == "retained":
		id, ok := p.Resource.Get("service.instance.id")
		return ok && id.Str() == "retained"
	case where[0] == '{':
		attrs, err := parseAttrs(where)
		return err == nil && p.Resource.Equal(attrs.asMap())
	}
	return contains(p.Resource, r.scenario.worker(where).asMap())
}

// contains reports whether all of part is in m.
func contains(m, part pcommon.Map) bool {
	for k, v := range part.All() {
		if got, ok := m.Get(k); !ok || !got.Equal(v) {
			return false
		}
	}
	return true
}

// matches reports whether a point is of the series that is asked for. Unit and
// scope count only if the handle was declared with them.
func (r *runner) matches(p *series.Point, kind series.Kind, want Point) bool {
	if want.Handle == "" {
		return true
	}
	m := r.scenario.metric(want.Handle, false)
	scope := m.Scope + m.ScopeAttrs.String()
	return p.ID.Metric == m.Name && m.emittedAs(kind) && p.Attrs.Equal(want.Attrs.asMap()) &&
		(m.Unit == "" || m.Unit == p.ID.Unit) && (scope == "" || scope == p.ID.Scope)
}

// emittedAs reports whether the handle's points may come out as this kind.
func (m Metric) emittedAs(kind series.Kind) bool {
	switch strings.TrimPrefix(m.Kind, "delta") {
	case "sum", "", "unspecified":
		return kind == series.Counter
	default:
		return string(kind) == strings.TrimPrefix(m.Kind, "delta")
	}
}

// describe lists points in the words of a scenario.
func (r *runner) describe(points []series.Point) string {
	if len(points) == 0 {
		return "there is no series"
	}
	lines := []string{"there is:"}
	for _, p := range points {
		shown := Point{Handle: p.ID.Metric + p.ID.Attrs, Fields: Fields(&p)}
		lines = append(lines, fmt.Sprintf("  %s %s start=%s",
			p.ID.Resource, shown.String(), formatDuration(p.Start.AsTime().Sub(r.base))))
	}
	return strings.Join(lines, "\n")
}

// ended checks and forgets the ends of series.
func (r *runner) ended(expect []Expect) error {
	for _, e := range expect {
		times := 0
		for id, n := range r.ends {
			if id.Metric == r.scenario.metric(e.Point.Handle, false).Name && id.Attrs == series.FormatAttrs(e.Point.Attrs.asMap()) {
				times += n
				delete(r.ends, id)
			}
		}
		if times != 1 {
			return fmt.Errorf("%s%s ended %d times since last asked, expected once", e.Point.Handle, e.Point.Attrs, times)
		}
	}
	return nil
}
