package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// outFields are what can be expected of any point, behind it.
var outFields = []string{"start", "t", "monotonic", "unit", "description", "exemplars"}

// parseExpect reads expected series: [WHERE] c=10 start=same, no g, series=3, 14
func (s *Scenario) parseExpect(words []string) ([]Expect, error) {
	var out []Expect
	p := &pointParser{scenario: s}
	where, absent := "", false
	for _, word := range words {
		if p.field(word, outFields...) {
			continue
		}
		switch {
		case word == "no":
			absent = true
			continue
		case word == "total" || word == "retained" || isWorker(word) || word[0] == '{':
			where, p.last = word, nil
			continue
		case strings.HasPrefix(word, "series="):
			n, err := strconv.Atoi(word[len("series="):])
			if err != nil {
				return nil, fmt.Errorf("%q is not a number of series", word)
			}
			out = append(out, Expect{Where: where, Series: n})
			p.last = nil
			continue
		}
		point, err := p.expected(word, absent)
		if err != nil {
			return nil, err
		}
		// p.last points into the slice, so that fields that follow reach it.
		out = append(out, Expect{Where: where, Absent: absent, Point: *point, Series: -1})
		p.last = &out[len(out)-1].Point
		absent = false
	}
	return out, nil
}

// expected reads a point, or a bare value of the only series, or a name alone.
func (p *pointParser) expected(word string, absent bool) (*Point, error) {
	if _, err := strconv.ParseFloat(word, 64); err == nil {
		return &Point{Fields: []Field{{"=", word}}}, nil
	}
	handle, attrs, value, err := cutAttrs(word)
	if slices.Contains(outFields, handle) {
		return nil, fmt.Errorf("%q stands behind no series", word)
	}
	if err == nil && value == "" {
		return &Point{Handle: handle, Attrs: attrs}, nil
	}
	if absent {
		return nil, fmt.Errorf("%q: a series that must be absent has no value", word)
	}
	return p.point(word)
}
