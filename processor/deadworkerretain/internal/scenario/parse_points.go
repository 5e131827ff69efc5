package scenario

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var window = regexp.MustCompile(`^(-?[0-9.]*[0-9])\.\.(-?[0-9.]+)$`)

// pointParser reads the points of a push or of an expectation.
type pointParser struct {
	scenario *Scenario
	// start and t hold for the points that follow, until the parenthesis closes.
	start, t string
	outer    [][2]string
	// last is the point that fields belong to.
	last *Point
}

// context reads words that hold for what follows. It reports whether it did.
func (p *pointParser) context(word string) (bool, error) {
	switch {
	case word == "(":
		p.outer = append(p.outer, [2]string{p.start, p.t})
	case word == ")":
		if len(p.outer) == 0 {
			return false, errors.New(") without (")
		}
		last := p.outer[len(p.outer)-1]
		p.start, p.t, p.outer = last[0], last[1], p.outer[:len(p.outer)-1]
	case strings.HasPrefix(word, "start="):
		p.start = word[len("start="):]
	case strings.HasPrefix(word, "t="):
		p.t = word[len("t="):]
	case window.MatchString(word):
		m := window.FindStringSubmatch(word)
		p.start, p.t = seconds(m[1]), seconds(m[2])
	default:
		return false, nil
	}
	p.last = nil
	return true, nil
}

// seconds writes second 0 of a window so that it is not read as "no time".
func seconds(text string) string {
	if text == "0" {
		return "0s"
	}
	return text
}

var (
	partField = []string{
		"bounds", "counts", "count", "sum", "min", "max",
		"scale", "offset", "pos", "negoffset", "neg", "zero", "threshold", "quantiles",
	}
	numbered = regexp.MustCompile(`^(q[0-9.]+|le[-+0-9.e]+|le\+Inf)=(.*)$`)
)

// field reads a word that says more about the last point.
func (p *pointParser) field(word string, more ...string) bool {
	if p.last == nil {
		return false
	}
	key, value, ok := strings.Cut(word, "=")
	if m := numbered.FindStringSubmatch(word); m != nil {
		key, value, ok = m[1], m[2], true
	}
	parts := p.scenario.structured(p.last.Handle)
	known := ok && (key == "ex" || slices.Contains(more, key) ||
		parts && (slices.Contains(partField, key) || numbered.MatchString(word)))
	if word == "none" && parts {
		key, known = "none", true
	}
	if known {
		p.last.Fields = append(p.last.Fields, Field{key, value})
	}
	return known
}

// point reads c=10, c{a=b}=10, d+=5 or h.
func (p *pointParser) point(word string) (*Point, error) {
	handle, attrs, value, err := cutAttrs(word)
	if err != nil {
		return nil, err
	}
	point := &Point{Handle: handle, Attrs: attrs, Start: p.start, Time: p.t}
	switch {
	case value == "" && p.scenario.structured(handle):
	case strings.HasPrefix(value, "+=") && len(value) > 2:
		point.Fields = []Field{{"+=", value[2:]}}
	case strings.HasPrefix(value, "=") && len(value) > 1 && !p.scenario.structured(handle):
		point.Fields = []Field{{"=", value[1:]}}
	default:
		return nil, fmt.Errorf("%q is neither a worker, a point nor anything else that belongs here", word)
	}
	p.last = point
	return point, nil
}
