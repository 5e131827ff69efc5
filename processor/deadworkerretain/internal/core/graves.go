package core

// graves are the dead lives whose values are kept, oldest first. Those that
// said goodbye are kept for another time than the rest, so that there are two
// queues, each in the order in which its lives are closed.
type graves struct {
	queues [2][]grave
	n      int
}

// grave is a place in a queue. A life that returned leaves its grave behind,
// which is then empty: its serial is not that of the life's death.
type grave struct {
	life   *life
	serial uint64
}

func (g grave) empty() bool { return g.life.buried || g.life.death.serial != g.serial }

func queueOf(r Reason) int {
	if r == Goodbye {
		return 0
	}
	return 1
}

func (g *graves) add(l *life) {
	q := queueOf(l.death.reason)
	g.queues[q] = append(g.queues[q], grave{l, l.death.serial})
	g.n++
}

// oldest is the next life to be closed of a queue, or nil.
func (g *graves) oldest(q int) *life {
	for len(g.queues[q]) > 0 {
		if first := g.queues[q][0]; !first.empty() {
			return first.life
		}
		g.queues[q][0] = grave{}
		g.queues[q] = g.queues[q][1:]
	}
	return nil
}
