package core

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"pgregory.net/rapid"
)

// TestJournalIsExact crashes tables at any moment. What a restart finds is the
// last checkpoint, and of the lives that had something acknowledged since, all
// they had counted by then: no more, no less.
//
// Journal records are numbered some time after they are made, in any order, so
// that a record may be older than a checkpoint whose cut it comes after.
func TestJournalIsExact(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		h := &crashing{history: newHistory(rt), books: ledger{}, saved: ledger{}}
		h.opt.RetainedTTL = 0
		h.checkpoint(rt)
		actions := h.actions()
		for _, name := range []string{"begin", "step", "end", "retry", "push 2"} {
			delete(actions, name)
		}
		actions["push"] = func(t *rapid.T) { h.account(t, h.signalOrData(t)) }
		actions["push and push"] = actions["push"]
		actions["signal"] = func(t *rapid.T) { h.account(t, h.signal(t)) }
		actions["sweep"] = func(t *rapid.T) {
			before := h.table.amounts()
			h.sweep()
			require.NoError(t, before.differsFrom(h.table.amounts()), "a fold changes no total")
		}
		actions["commit"] = h.commit
		actions["checkpoint"] = h.checkpoint
		actions["crash"] = h.crash
		rt.Repeat(actions)
		h.crash(rt)
	})
}

// crashing is a history with books of what each life has counted.
type crashing struct {
	*history
	clock int
	books ledger
	// saved are the books at the cut of the checkpoint on disk, total is what all
	// series had then, at the moment at.
	saved ledger
	total amounts
	at    int
	// pending records are not numbered yet, journalled ones are on disk.
	pending, journalled []written
}

// written is a record and what the books say of its life when it was made.
type written struct {
	life   uint64
	record []byte
	at     int
	account
}

// account applies a request and writes into the books what it has changed.
func (h *crashing) account(t *rapid.T, md pmetric.Metrics) {
	h.clock++
	b := &Batch{}
	b.Prepare(h.table.Hasher(), h.opt, md)
	before := h.table.amounts()
	res := h.table.Apply(b, h.now)
	h.table.Events()
	added := h.table.amounts().minus(before)
	if l := h.table.lifeOfBlock(&b.blocks[0]); l != nil {
		h.books[l.id] = h.table.accountOf(l, h.books[l.id].added.plus(added))
	} else {
		require.Empty(t, added, "a refused request changes no total")
	}
	for _, id := range res.Commit {
		h.pending = append(h.pending, written{
			life: id.life.id, record: h.table.Record(id), at: h.clock,
			account: h.table.accountOf(id.life, h.books[id.life.id].added),
		})
	}
	h.sent = append(h.sent, md)
}

// commit writes one of the records that wait.
func (h *crashing) commit(t *rapid.T) {
	if len(h.pending) == 0 {
		return
	}
	i := rapid.IntRange(0, len(h.pending)-1).Draw(t, "record")
	h.journal(h.pending[i].record)
	h.journalled = append(h.journalled, h.pending[i])
	h.pending = append(h.pending[:i:i], h.pending[i+1:]...)
}

func (h *crashing) checkpoint(*rapid.T) {
	h.clock++
	h.at = h.clock
	h.flush()
	h.journalled = nil
	h.total, h.saved = h.table.amounts(), ledger{}
	for id, a := range h.books {
		if l := h.table.byID(id); l != nil {
			h.saved[id] = h.table.accountOf(l, a.added)
		}
	}
}

// crash loses the table, and all records that were not written.
func (h *crashing) crash(t *rapid.T) {
	want, books := h.total, maps.Clone(h.saved)
	latest := map[uint64]int{}
	for _, r := range h.journalled {
		if r.at <= h.at || latest[r.life] > r.at {
			continue
		}
		want = want.plus(r.added.minus(books[r.life].added))
		books[r.life], latest[r.life] = r.account, r.at
	}
	restored, err := h.restored()
	require.NoError(t, err)
	require.NoError(t, want.differsFrom(restored.table.amounts()))
	require.NoError(t, restored.table.check())
	for id, a := range books {
		l := restored.table.byID(id)
		if l == nil {
			// Only the closed may be gone: those whose name another life has now, or
			// those for which there was no room among the tombstones.
			other := restored.table.lives[a.name]
			require.True(t, a.dead && h.opt.MaxTombstones == 1 || other != nil && other.id > id, "life %d is missing: %s", id, a.text)
			delete(books, id)
			continue
		}
		got := restored.table.accountOf(l, nil).text
		require.Equal(t, a.text, got, difference(a.text, got))
	}
	h.table, h.disk, h.next, h.now.Mono = restored.table, restored.disk, restored.next, restored.now.Mono
	h.books, h.pending = books, nil
	if rapid.Bool().Draw(t, "first checkpoint") {
		h.checkpoint(t)
	}
}
