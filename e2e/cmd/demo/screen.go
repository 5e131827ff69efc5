package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// screen shows the three totals: drawn over and over on a terminal, line by
// line elsewhere.
type screen struct {
	out      *os.File
	terminal bool
	drawn    int // lines to go back up over
	news     []string
	shown    int
}

func newScreen(out *os.File) *screen {
	info, err := out.Stat()
	return &screen{out: out, terminal: err == nil && info.Mode()&os.ModeCharDevice != 0}
}

// tell adds a line of news.
func (s *screen) tell(news string) {
	if !s.terminal {
		fmt.Fprintln(s.out, news)
		return
	}
	s.news = append(s.news, news)
}

// show shows the latest totals.
func (s *screen) show(r *record) {
	truth, ours, plain := last(r.truth), last(r.ours), last(r.plain)
	s.shown++
	if !s.terminal {
		if s.shown%4 == 0 {
			fmt.Fprintf(s.out, "%5.1f s  true %.0f, otelcol-workers %.0f, plain pipeline %.0f\n", r.elapsed().Seconds(), truth, ours, plain)
		}
		return
	}
	rows := []string{
		fmt.Sprintf("  %4.0f s of %.0f", r.elapsed().Seconds(), length.Seconds()),
		"",
		row("true total", truth, truth, "\x1b[37m", ""),
		row("otelcol-workers", ours, truth, "\x1b[34m", fell(r.oursFell)),
		row("plain pipeline", plain, truth, "\x1b[31m", fell(r.plainFell)),
		"",
	}
	const newest = 6
	news := append(slices.Clone(s.news[max(0, len(s.news)-newest):]), make([]string, newest)...)
	rows = append(rows, news[:newest]...)
	if s.drawn > 0 {
		fmt.Fprintf(s.out, "\x1b[%dA", s.drawn)
	}
	for _, line := range rows {
		fmt.Fprintf(s.out, "\x1b[2K%s\n", line)
	}
	s.drawn = len(rows)
}

func row(name string, v, full float64, colour, note string) string {
	const width = 40
	n := 0
	if full > 0 {
		n = min(width, int(width*v/full))
	}
	return fmt.Sprintf("  %-16s %7.0f  %s%s\x1b[0m%s  %s", name, v, colour, strings.Repeat("█", n), strings.Repeat(" ", width-n), note)
}

func fell(times int) string {
	switch times {
	case 0:
		return "never fell"
	case 1:
		return "fell once"
	default:
		return fmt.Sprintf("fell %d times", times)
	}
}
