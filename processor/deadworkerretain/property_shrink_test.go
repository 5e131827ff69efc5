package deadworkerretain_test

import (
	"slices"
	"time"
)

// shrinkFor bounds the search for a smaller failing history.
const shrinkFor = 30 * time.Second

// shrink leaves out steps, then points, for as long as the history still fails,
// and returns what remains. What remains is still a history: a retry goes with
// the request that it repeats.
func shrink(steps []step, fails func([]step) bool) []step {
	until := time.Now().Add(shrinkFor)
	for size := len(steps) / 2; size > 0; size /= 2 {
		for i := 0; i+size <= len(steps) && time.Now().Before(until); {
			if fewer := withoutSteps(steps, i, i+size); fails(fewer) {
				steps = fewer
			} else {
				i += size
			}
		}
	}
	for i := 0; i < len(steps); i++ {
		for j := range len(steps[i].push) {
			for k := 0; k < len(steps[i].push[j].block.Items) && time.Now().Before(until); {
				if fewer, ok := withoutPoint(steps, steps[i].push[j], k); ok && fails(fewer) {
					steps = fewer
				} else {
					k++
				}
			}
		}
	}
	return steps
}

// withoutSteps leaves out steps, and every retry of what is then never sent.
func withoutSteps(steps []step, from, to int) []step {
	var out []step
	known := map[any]bool{}
	gone := map[any]bool{}
	for i, s := range steps {
		if i >= from && i < to {
			for _, r := range s.push {
				gone[r.id()] = !known[r.id()]
			}
			continue
		}
		if s.push != nil {
			s.push = slices.DeleteFunc(slices.Clone(s.push), func(r request) bool { return gone[r.id()] })
			if len(s.push) == 0 {
				continue
			}
		}
		for _, r := range s.push {
			known[r.id()] = true
		}
		out = append(out, s)
	}
	return out
}

// withoutPoint leaves one point out of a request and its retries. At least one stays.
func withoutPoint(steps []step, from request, point int) ([]step, bool) {
	if len(from.block.Items) < 2 {
		return nil, false
	}
	steps = slices.Clone(steps)
	for i, s := range steps {
		steps[i].push = slices.Clone(s.push)
		for j, r := range s.push {
			if r.id() == from.id() {
				steps[i].push[j].block.Items = slices.Delete(slices.Clone(r.block.Items), point, point+1)
			}
		}
	}
	return steps, true
}

// id is the same for a request and its retries: a process has no other with that time.
func (r request) id() any {
	type id struct {
		from *process
		at   int
	}
	return id{r.from, r.at}
}
