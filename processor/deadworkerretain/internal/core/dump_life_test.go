package core

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

func (d *dumper) life(slot int, l *life) {
	death := ""
	if !l.alive() {
		death = " died=" + l.death.reason.String()
	}
	d.line("life %03d #%d of %s %q %s state=%v%s last=%d %q %q {%s} multiple=%d",
		slot, l.id, l.identity.keys[0], l.marks, l.markKey, l.state, death, l.last, l.schemaURL, l.instance, text(l.resource), l.multiple)
	var lines []string
	for i := range l.streams {
		lines = append(lines, streamText(&l.streams[i]))
	}
	for _, lv := range l.levels {
		lines = append(lines, fmt.Sprintf("level %s in %s t=%d %v %s", lv.key, lv.series.key, lv.t, lv.num, windowsText(lv.windows)))
	}
	slices.Sort(lines)
	for _, line := range lines {
		d.line("life %03d   %s", slot, line)
	}
}

func streamText(s *stream) string {
	var runs []string
	for r := range s.runs {
		runs = append(runs, runText(r))
	}
	slices.Sort(runs)
	var rest strings.Builder
	if s.ext != nil {
		if s.ext.windows != nil {
			rest.WriteString(" " + windowsText(s.ext.windows))
		}
		for _, run := range slices.Sorted(maps.Keys(s.ext.exemplars)) {
			fmt.Fprintf(&rest, " exemplars(%d)=%d", run, s.ext.exemplars[run])
		}
	}
	return fmt.Sprintf("stream %s in %s [%s]%s", s.key, s.series.key, strings.Join(runs, "; "), rest.String())
}

func runText(r *run) string {
	flags := ""
	if r.is(runLit) {
		flags += " lit"
	}
	if r.is(runDelta) {
		flags += " delta"
	}
	value := fmt.Sprint(r.number())
	if d := r.dist; d != nil {
		value = fmt.Sprintf("count=%d sum=%v min=%v max=%v has=%v%v%v buckets=%v %s",
			d.count, d.sum, d.min, d.max, d.hasSum, d.hasMin, d.hasMax, d.buckets, expoText(d.exp))
		if d.layout != nil {
			value += fmt.Sprint(d.layout.bounds)
		}
	}
	return fmt.Sprintf("%d..%d%s %s", r.start, r.t, flags, value)
}

// windowsText is the windows that are remembered, from the oldest.
func windowsText(w *windows) string {
	if w == nil || w.n == 0 {
		return ""
	}
	var kept []window
	first := uint32(0)
	if w.n > keptWindows {
		first = w.n - keptWindows
	}
	for i := first; i < w.n; i++ {
		kept = append(kept, w.kept[i%keptWindows])
	}
	return fmt.Sprintf("windows=%v", kept)
}
