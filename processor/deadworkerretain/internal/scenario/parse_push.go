package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

var states = []string{"running", "quiet", "terminated", "goodbye"}

// parsePush reads one request: WORKER{extra} start=.. t=.. points and signals, next WORKER ...
func (s *Scenario) parsePush(words []string) (*Push, error) {
	push := &Push{}
	p := &pointParser{scenario: s}
	for _, word := range words {
		if isWorker(word) {
			name, extra, rest, err := cutAttrs(word)
			if err != nil || rest != "" {
				return nil, fmt.Errorf("%q is not a worker: %w", word, err)
			}
			push.Blocks = append(push.Blocks, Block{Worker: name, Extra: extra})
			p.last = nil
			continue
		}
		if p.field(word) {
			continue
		}
		if ok, err := p.context(word); err != nil {
			return nil, err
		} else if ok {
			continue
		}
		if len(push.Blocks) == 0 {
			return nil, fmt.Errorf("%q stands before any worker", word)
		}
		block := &push.Blocks[len(push.Blocks)-1]
		if block.signal(word, p.t) {
			p.last = nil
			continue
		}
		point, err := p.point(word)
		if err != nil {
			return nil, err
		}
		block.Items = append(block.Items, point)
	}
	if len(p.outer) > 0 {
		return nil, errors.New("( is not closed")
	}
	return push, nil
}

// signal reads a state, a raw value of one (signal=7), or the reason of the last signal.
func (b *Block) signal(word, t string) bool {
	value, raw := strings.CutPrefix(word, "signal=")
	if raw || slices.Contains(states, word) {
		if !raw {
			value = word
		}
		b.Items = append(b.Items, &Signal{State: value, Time: t})
		return true
	}
	reason, ok := strings.CutPrefix(word, "reason=")
	if !ok || len(b.Items) == 0 {
		return false
	}
	signal, ok := b.Items[len(b.Items)-1].(*Signal)
	if ok {
		signal.Reason = unquote(reason)
	}
	return ok
}
