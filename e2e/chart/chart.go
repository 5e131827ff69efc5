// Package chart draws lines over time as SVG.
package chart

import (
	"cmp"
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Chart is a picture of lines over time.
type Chart struct {
	Title, Subtitle string
	Lines           []Line
	// Marks are moments under the time axis.
	Marks []Mark
}

// Line is a name, drawn at the line's end, and points in the order of time.
type Line struct {
	Name, Colour string
	// Width is in pixels.
	Width  float64
	Points []Point
}

// Point is a value at a time in seconds.
type Point struct{ Seconds, Value float64 }

// Mark is a symbol at a time in seconds. Marks with one symbol share a legend entry.
type Mark struct {
	Seconds              float64
	Symbol, Text, Colour string
}

const (
	width, height           = 1000.0, 460.0
	left, right, top, below = 64.0, 210.0, 76.0, 84.0
	ink, faint, grid        = "#1f2328", "#656d76", "#e6e8eb"
)

// Write draws the chart. It has at least one line with at least one point.
func (c *Chart) Write(w io.Writer) error {
	p := c.plane()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif" font-size="13" role="img" aria-label="%s">`+"\n",
		width, height, html.EscapeString(c.Title))
	fmt.Fprintf(&b, `<rect width="%g" height="%g" rx="8" fill="#fff"/>`+"\n", width, height)
	text(&b, left, 34, "start", ink, `font-size="18" font-weight="600"`, c.Title)
	text(&b, left, 56, "start", faint, "", c.Subtitle)
	p.axes(&b)
	for _, l := range c.Lines {
		p.line(&b, l)
	}
	p.names(&b, c.Lines)
	p.marks(&b, c.Marks)
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// plane maps seconds and values to pixels.
type plane struct{ seconds, value float64 }

func (c *Chart) plane() plane {
	var p plane
	for _, l := range c.Lines {
		for _, pt := range l.Points {
			p.seconds, p.value = max(p.seconds, pt.Seconds), max(p.value, pt.Value)
		}
	}
	return plane{seconds: max(p.seconds, 1), value: max(p.value*1.04, 1)}
}

func (p plane) x(seconds float64) float64 { return left + seconds/p.seconds*(width-left-right) }
func (p plane) y(value float64) float64   { return height - below - value/p.value*(height-top-below) }

func (p plane) axes(b *strings.Builder) {
	for v := 0.0; v <= p.value; v += step(p.value) {
		fmt.Fprintf(b, `<path d="M%g %.1fH%g" stroke="%s"/>`+"\n", left, p.y(v), width-right, grid)
		text(b, left-10, p.y(v)+4, "end", faint, "", number(v))
	}
	for s := 0.0; s <= p.seconds; s += step(p.seconds) {
		text(b, p.x(s), height-below+20, "middle", faint, "", number(s)+" s")
	}
}

func (p plane) line(b *strings.Builder, l Line) {
	points := make([]string, len(l.Points))
	for i, pt := range l.Points {
		points[i] = fmt.Sprintf("%.1f,%.1f", p.x(pt.Seconds), p.y(pt.Value))
	}
	fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="%g" stroke-linejoin="round" stroke-linecap="round"/>`+"\n",
		strings.Join(points, " "), l.Colour, l.Width)
}

// names writes each line's name and last value at its end, moved down where
// they would cover each other.
func (p plane) names(b *strings.Builder, lines []Line) {
	const apart = 40.0
	order := slices.Clone(lines)
	slices.SortStableFunc(order, func(a, b Line) int { return cmp.Compare(last(b).Value, last(a).Value) })
	y := math.Inf(-1)
	for _, l := range order {
		y = max(y+apart, p.y(last(l).Value))
		text(b, width-right+14, y, "start", l.Colour, `font-weight="600"`, l.Name)
		text(b, width-right+14, y+17, "start", ink, `font-size="15" font-weight="600"`, number(last(l).Value))
	}
}

func (p plane) marks(b *strings.Builder, marks []Mark) {
	const line = height - below + 44
	x, known := left, map[string]bool{}
	for _, m := range marks {
		text(b, p.x(m.Seconds), line, "middle", m.Colour, `font-weight="600"`, m.Symbol)
		if known[m.Symbol] {
			continue
		}
		known[m.Symbol] = true
		text(b, x, height-16, "start", m.Colour, `font-weight="600"`, m.Symbol)
		text(b, x+16, height-16, "start", faint, "", m.Text)
		x += 40 + 7.2*float64(len(m.Text)) // there is no way to measure text here
	}
}

func last(l Line) Point { return l.Points[len(l.Points)-1] }

// step is a round distance that divides a range into four to ten.
func step(top float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(top)))
	switch {
	case top/unit < 2:
		return unit / 5
	case top/unit < 5:
		return unit / 2
	default:
		return unit
	}
}

// number writes 12345 as 12,345.
func number(v float64) string {
	s := strconv.FormatFloat(v, 'f', -1, 64)
	if i := len(s) - 3; v >= 1000 && v == math.Trunc(v) {
		for ; i > 0; i -= 3 {
			s = s[:i] + "," + s[i:]
		}
	}
	return s
}

func text(b *strings.Builder, x, y float64, anchor, colour, attrs, s string) {
	if s == "" {
		return
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s" %s>%s</text>`+"\n", x, y, anchor, colour, attrs, html.EscapeString(s))
}
