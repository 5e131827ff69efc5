package report

import (
	"fmt"
	"math"
	"strings"
)

// What the chart calls the contenders, and in which order it shows them.
var chartNames = []struct{ contender, text string }{
	{"ours", "deadworkerretain"},
	{"copy", "copying the points"},
	{"decode", "decoding OTLP"},
	{"streamaggr", "vmagent streamaggr"},
	{"trio", "cumulativetodelta + deltatocumulative"},
	{"metricstransform", "metricstransform"},
}

var chartPayloads = []struct{ payload, text string }{
	{"numbers-1k", "counters, 3 attributes"},
	{"wide", "HTTP server and runtime"},
	{"histograms", "histograms, 50 buckets"},
	{"exponential", "exponential histograms"},
}

const (
	chartWidth = 790
	chartLeft  = 300
	chartRight = 715
	chartLine  = 19
)

// Chart is an SVG of the time a point takes in the steady state, by that of
// decoding it, on a logarithmic axis.
func Chart(r Results) string {
	var body strings.Builder
	y := 64
	for _, p := range chartPayloads {
		decode, ok := r.PerPoint(fmt.Sprintf(steady, p.payload, "decode"), quiet)
		if !ok {
			continue
		}
		fmt.Fprintf(&body, `<text class="head" x="16" y="%d">%s</text>`+"\n", y, p.text)
		y += chartLine
		for _, c := range chartNames {
			v, ok := r.PerPoint(fmt.Sprintf(steady, p.payload, c.contender), quiet)
			if !ok {
				continue
			}
			body.WriteString(dot(c.contender, c.text, v, v/decode, y))
			y += chartLine
		}
		y += 12
	}
	return frame(body.String(), y)
}

// dot is one line of the chart: a name, a dot on its way and the time itself.
func dot(contender, text string, ns, ratio float64, y int) string {
	class := "other"
	switch contender {
	case "ours":
		class = "ours"
	case "decode", "copy":
		class = "limit"
	}
	return fmt.Sprintf(`<g class="%s"><text class="name" x="%d" y="%d">%s</text><line x1="%d" x2="%.1f" y1="%d" y2="%d"/>`+
		`<circle cx="%.1f" cy="%d" r="5"/><text x="%.1f" y="%d">%s</text></g>`+"\n",
		class, chartLeft-10, y, text, chartLeft, at(ratio), y-4, y-4, at(ratio), y-4, at(ratio)+10, y, duration(ns))
}

// at is where a ratio between a twentieth and two hundred is on the axis.
func at(ratio float64) float64 {
	const low, high = 0.05, 200.0
	share := math.Log(max(ratio, low)/low) / math.Log(high/low)
	return chartLeft + min(share, 1)*(chartRight-chartLeft)
}

func duration(ns float64) string {
	if ns < 1000 {
		return Number(ns) + " ns"
	}
	return Number(ns/1000) + " µs"
}

func frame(body string, height int) string {
	var grid strings.Builder
	for _, tick := range []float64{0.1, 1, 10, 100} {
		fmt.Fprintf(&grid, `<line class="grid" x1="%.1f" x2="%.1f" y1="46" y2="%d"/><text class="tick" x="%.1f" y="%d">%v×</text>`+"\n",
			at(tick), at(tick), height-8, at(tick), height+8, tick)
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="Time a point, by that of decoding it">
<style>
text { font: 13px system-ui, sans-serif; fill: #57606a }
.title { font-size: 15px; font-weight: 600; fill: #1f2328 }
.head { font-weight: 600; fill: #1f2328 }
.name, .tick { text-anchor: end }
.tick { text-anchor: middle }
.grid { stroke: #d0d7de }
line { stroke-width: 2 }
.grid { stroke-width: 1 }
.ours line { stroke: #1a7f37 } .ours circle { fill: #1a7f37 } .ours text { fill: #1a7f37; font-weight: 600 }
.limit line { stroke: #afb8c1 } .limit circle { fill: #afb8c1 }
.other line { stroke: #bc4c00 } .other circle { fill: #bc4c00 }
@media (prefers-color-scheme: dark) {
text { fill: #9198a1 } .title, .head { fill: #f0f6fc } .grid { stroke: #3d444d }
.ours line { stroke: #3fb950 } .ours circle { fill: #3fb950 } .ours text { fill: #3fb950 }
.limit line { stroke: #656c76 } .limit circle { fill: #656c76 }
.other line { stroke: #f0883e } .other circle { fill: #f0883e }
}
</style>
<text class="title" x="16" y="24">Time a point takes, 100 workers in steady state</text>
<text x="16" y="42">decoding the same OTLP bytes = 1×, logarithmic</text>
%s%s</svg>
`, chartWidth, height+20, grid.String(), body)
}
