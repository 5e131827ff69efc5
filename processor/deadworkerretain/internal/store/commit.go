package store

import (
	"context"
	"sync"

	"go.opentelemetry.io/collector/extension/xextension/storage"
)

// commits gathers journal records that wait to be written, so that many
// goodbyes at once share a transaction: while one is being written the next
// ones queue, and whoever finds nobody writing writes for all.
type commits struct {
	mu      sync.Mutex
	waiting []commit
	writing bool
	// next is the number of the next record. A record that could not be written
	// uses up no number: the journal has no gaps.
	next uint64
}

type commit struct {
	record []byte
	done   chan error
}

// Journal begins a journal: its records have keys made of numbers from next.
func (s *Store) Journal(next uint64, key func(number uint64) string) {
	s.commits.mu.Lock()
	defer s.commits.mu.Unlock()
	s.commits.next, s.journalKey = next, key
}

// Next is the number of the next journal record. Records with lower numbers
// were made before this call.
func (s *Store) Next() uint64 {
	s.commits.mu.Lock()
	defer s.commits.mu.Unlock()
	return s.commits.next
}

// Commit returns when a journal record is on disk.
func (s *Store) Commit(ctx context.Context, record []byte) error {
	c := commit{record: record, done: make(chan error, 1)}
	q := &s.commits
	q.mu.Lock()
	q.waiting = append(q.waiting, c)
	lead := !q.writing
	q.writing = true
	q.mu.Unlock()
	if lead {
		s.writeWaiting(ctx)
	}
	select {
	case err := <-c.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// writeWaiting writes until nobody waits. The first caller's context must not
// end the writes of the others.
func (s *Store) writeWaiting(ctx context.Context) {
	ctx = context.WithoutCancel(ctx)
	q := &s.commits
	for {
		q.mu.Lock()
		group := q.waiting
		q.waiting = nil
		if len(group) == 0 {
			q.writing = false
			q.mu.Unlock()
			return
		}
		ops := make([]*storage.Operation, len(group))
		for i, c := range group {
			ops[i] = storage.SetOperation(s.journalKey(q.next+uint64(i)), c.record)
		}
		q.mu.Unlock()

		err := s.batch(ctx, ops)

		q.mu.Lock()
		if err == nil {
			q.next += uint64(len(group))
		}
		q.mu.Unlock()
		for _, c := range group {
			c.done <- err
		}
	}
}
