//go:build synctest

package simulated

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func n(v float64) value { return value{n: v} }

var scenes = []scene{
	{name: "two workers export at the same instant", right: 330, play: func(s *stage) {
		for i := range 3 {
			s.says("ab", n(float64(10*(i+1))), n(float64(100*(i+1))))
			s.wait(10 * time.Second)
		}
	}},
	{name: "a worker returns after it was held for dead", right: 111, play: func(s *stage) {
		s.says("a", n(100))
		for range 16 {
			s.wait(15 * time.Second)
			s.says("b", n(5))
		}
		s.wait(time.Second)
		s.says("a", n(106))
	}},
	{name: "a worker dies and another takes its place", right: 35, play: func(s *stage) {
		s.says("ab", n(10), n(20))
		s.wait(4 * time.Minute)
		s.says("c", n(5))
	}},
	{name: "a job that counts one and ends, five times", right: 5, play: func(s *stage) {
		for _, job := range []string{"a", "b", "c", "d", "e"} {
			s.says(job, n(1))
			s.wait(5 * time.Minute)
		}
	}},
	{name: "a counter without start time is reset", right: 104, play: func(s *stage) {
		for _, v := range []float64{100, 3, 4} {
			s.says("a", value{n: v, noStart: true})
			s.wait(10 * time.Second)
		}
	}},
	{name: "the collector restarts after a worker died", right: 34, play: func(s *stage) {
		s.says("a", n(30))
		s.wait(2 * time.Minute)
		s.restart()
		s.says("b", n(4))
	}},
	{name: "the collector restarts between a dead and a living worker", right: 75, play: func(s *stage) {
		s.says("ab", n(30), n(39))
		s.wait(50 * time.Second)
		s.says("b", n(40))
		s.wait(50 * time.Second)
		s.restart()
		s.says("b", n(45))
	}},
	{name: "a counter turns from int to double after a worker died", right: 17, play: func(s *stage) {
		s.says("a", n(5))
		s.wait(time.Second)
		s.says("b", n(10))
		s.wait(10 * time.Second)
		s.says("b", value{n: 12, double: true})
	}},
	{name: "a histogram's bounds change in a rolling deploy", right: 19, play: func(s *stage) {
		s.says("a", value{bounds: []float64{1, 3}, counts: []uint64{1, 2, 2}})
		s.wait(10 * time.Second)
		s.says("b", value{bounds: []float64{1, 3, 7, 15}, counts: []uint64{0, 2, 2, 4, 5}})
		s.wait(10 * time.Second)
		s.says("b", value{bounds: []float64{1, 3, 7, 15}, counts: []uint64{0, 2, 3, 4, 5}})
	}},
	{name: "a new worker's first value", right: 50, play: func(s *stage) {
		s.says("a", n(40))
		s.wait(10 * time.Second)
		s.says("a", n(50))
	}},
}

// The settings of streamaggr that let a first value count. It is not the
// default: after a restart it counts every running worker's history again.
const countFirst = ", ignore_first_sample_interval: 0s"

// TestScenes plays every scene before every tool. Ours must be right; what the
// others make of it is printed.
func TestScenes(t *testing.T) {
	for _, tool := range actors {
		for _, sc := range scenes {
			bubble(t, tool.name+"/"+sc.name, func(t *testing.T) {
				a, err := tool.build(t)
				require.NoError(t, err)
				time.Sleep(10*time.Second + time.Millisecond) // never at the moment of a flush
				s := &stage{t: t, actor: a}
				sc.play(s)
				time.Sleep(20 * time.Second)
				got := a.read()
				require.NoError(t, a.stop())
				outcome(sc.name, tool.name, got, sc.right)
				if tool.name == "ours" {
					assert.Equal(t, sc.right, got)
				}
			})
		}
	}
}
