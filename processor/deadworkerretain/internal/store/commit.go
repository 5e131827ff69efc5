package store

import (
	"context"
	"sync"

	"go.opentelemetry.io/collector/extension/xextension/storage"
)

// commits gathers journal records that wait to be written, so that many
// goodbyes at once share a transaction: while one is being written the next
// ones queue.
type commits struct {
	mu      sync.Mutex
	waiting []commit
	writing bool
	writer  sync.WaitGroup
	// next is the number of the next record. A record that could not be written
	// uses up no number: the journal has no gaps.
	next uint64
}

// commit is the records of one request.
type commit struct {
	records [][]byte
	done    chan error
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

// Commit returns when journal records are on disk, all in one transaction. After
// an error they may be there or not.
func (s *Store) Commit(ctx context.Context, records ...[]byte) error {
	c := commit{records: records, done: make(chan error, 1)}
	q := &s.commits
	q.mu.Lock()
	q.waiting = append(q.waiting, c)
	if !q.writing {
		// Not the caller: it would write for those who come after it, and its own
		// answer would wait for as long as they come.
		q.writing = true
		q.writer.Go(func() { s.writeWaiting(context.WithoutCancel(ctx)) })
	}
	q.mu.Unlock()
	select {
	case err := <-c.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// writeWaiting writes until nobody waits.
func (s *Store) writeWaiting(ctx context.Context) {
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
		next := q.next
		q.mu.Unlock()

		var ops []*storage.Operation
		for _, c := range group {
			for _, record := range c.records {
				ops = append(ops, storage.SetOperation(s.journalKey(next+uint64(len(ops))), record))
			}
		}
		err := s.batch(ctx, ops)

		q.mu.Lock()
		if err == nil {
			q.next += uint64(len(ops))
		}
		q.mu.Unlock()
		for _, c := range group {
			c.done <- err
		}
	}
}
