package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Number is v with three digits that count.
func Number(v float64) string {
	if v == 0 || math.Abs(v) >= 100 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	if math.Abs(v) < 0.001 {
		return strconv.FormatFloat(v, 'g', 1, 64)
	}
	digits := max(0, 2-int(math.Floor(math.Log10(math.Abs(v)))))
	return strconv.FormatFloat(v, 'f', min(digits, 3), 64)
}

// table is a table in Markdown; all columns but the first are to the right.
func table(head []string, rows [][]string) string {
	var b strings.Builder
	write := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	write(head)
	rule := slices.Repeat([]string{"---:"}, len(head))
	rule[0] = "---"
	write(rule)
	for _, r := range rows {
		write(r)
	}
	return b.String()
}

// TargetTable says which targets are met.
func TargetTable(targets []Target) string {
	var rows [][]string
	for _, t := range targets {
		rows = append(rows, []string{t.Name, t.Goal, t.Got, string(t.State)})
	}
	return table([]string{"target", "goal", "measured", ""}, rows)
}

var contenders = []string{"ours", "trio", "streamaggr", "metricstransform", "decode", "copy"}

// PushTable shows a value per point of all contenders in the benchmark, a row
// for each payload and number of workers.
func (r Results) PushTable(bench, unit string) string {
	var prefixes []string
	for name := range r {
		if p, _, ok := strings.Cut(name, "/contender="); ok && strings.HasPrefix(p, bench+"/") && !slices.Contains(prefixes, p) {
			prefixes = append(prefixes, p)
		}
	}
	slices.SortFunc(prefixes, byPayload)
	used := slices.DeleteFunc(slices.Clone(contenders), func(c string) bool {
		return !slices.ContainsFunc(prefixes, func(p string) bool { return r[p+"/contender="+c] != nil })
	})
	var rows [][]string
	for _, p := range prefixes {
		row := []string{plain(p)}
		for _, c := range used {
			cell := "–"
			if v, ok := r.PerPoint(p+"/contender="+c, unit); ok {
				cell = Number(v)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return table(append([]string{"payload"}, used...), rows)
}

// byPayload orders names by payload, then by the number of workers.
func byPayload(a, b string) int {
	pa, na, _ := strings.Cut(a, "/workers=")
	pb, nb, _ := strings.Cut(b, "/workers=")
	if c := strings.Compare(pb, pa); c != 0 && pa != pb {
		return c
	}
	x, _ := strconv.Atoi(na)
	y, _ := strconv.Atoi(nb)
	return x - y
}

// plain turns "Steady/payload=wide/workers=100" into "wide, workers 100".
func plain(name string) string {
	var parts []string
	for _, p := range strings.Split(name, "/")[1:] {
		parts = append(parts, strings.ReplaceAll(strings.TrimPrefix(p, "payload="), "=", " "))
	}
	return strings.Join(parts, ", ")
}

// Table shows the values with the given units of the benchmarks whose names
// begin with the word.
func (r Results) Table(bench string, units ...string) string {
	var names []string
	for name := range r {
		if strings.HasPrefix(name, bench+"/") {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, natural)
	var rows [][]string
	for _, name := range names {
		row := []string{plain(name)}
		for _, unit := range units {
			cell := ""
			if v, ok := r.Get(name, unit); ok {
				cell = Number(v)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return table(append([]string{""}, units...), rows)
}

// natural orders names so that 10 comes after 9.
func natural(a, b string) int {
	if len(a) != len(b) && strings.TrimRight(a, "0123456789") == strings.TrimRight(b, "0123456789") {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

// OutcomeTable shows what each tool made of each scene; wrong totals are bold.
func OutcomeTable(outcomes []Outcome) string {
	var scenes, tools []string
	cells, right := map[[2]string]string{}, map[string]string{}
	for _, o := range outcomes {
		if !slices.Contains(scenes, o.Scene) {
			scenes = append(scenes, o.Scene)
		}
		if !slices.Contains(tools, o.Tool) {
			tools = append(tools, o.Tool)
		}
		cell := o.Got
		if o.Got != o.Right {
			cell = "**" + o.Got + "**"
		}
		cells[[2]string{o.Scene, o.Tool}] = cell
		right[o.Scene] = o.Right
	}
	var rows [][]string
	for _, s := range scenes {
		row := []string{s, right[s]}
		for _, tool := range tools {
			row = append(row, cells[[2]string{s, tool}])
		}
		rows = append(rows, row)
	}
	return table(append([]string{"what happens", "right"}, tools...), rows)
}
