// Package store keeps the state of a table in a storage extension. It knows
// nothing of the extension but its interface, and trusts it with nothing: what
// panics or fails is an error, and what cannot be read is set aside.
package store

import (
	"context"
	"fmt"
	"sync"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/extension/xextension/storage"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/core"
)

// Store is the state on disk of one processor. It is safe for concurrent use.
type Store struct {
	ext storage.Extension
	id  component.ID

	mu      sync.Mutex
	client  storage.Client
	release func()

	commits    commits
	journalKey func(number uint64) string
}

// Find looks up the storage extension of a host. The error names it, and what
// was found instead.
func Find(host component.Host, id component.ID) (storage.Extension, error) {
	ext, ok := host.GetExtensions()[id]
	if !ok {
		return nil, fmt.Errorf("storage is %q, expected the id of an extension listed under service::extensions", id)
	}
	s, ok := ext.(storage.Extension)
	if !ok {
		return nil, fmt.Errorf("storage is %q, which is no storage extension; expected one such as file_storage", id)
	}
	return s, nil
}

// New claims the place of a component in a storage. The error says so if it is taken.
func New(ext storage.Extension, id component.ID) (*Store, error) {
	release, err := claim(ext, id)
	if err != nil {
		return nil, err
	}
	return &Store{ext: ext, id: id, release: release}, nil
}

// Open opens the storage, if it is not open. It may be tried again after an error.
func (s *Store) Open(ctx context.Context) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client != nil {
		return nil
	}
	defer caught(&err)
	client, err := s.ext.GetClient(ctx, component.KindProcessor, s.id, "")
	if err != nil {
		return fmt.Errorf("storage cannot be opened: %w", err)
	}
	s.client = client
	return nil
}

// Close gives the storage back, once what waits to be committed has been written.
func (s *Store) Close(ctx context.Context) (err error) {
	s.commits.writer.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.release()
	if s.client == nil {
		return nil
	}
	defer caught(&err)
	client := s.client
	s.client = nil
	return client.Close(ctx)
}

// Get reads records; missing ones are nil.
func (s *Store) Get(ctx context.Context) core.Getter {
	return func(keys []string) ([][]byte, error) {
		ops := make([]*storage.Operation, len(keys))
		for i, k := range keys {
			ops[i] = storage.GetOperation(k)
		}
		if err := s.batch(ctx, ops); err != nil {
			return nil, err
		}
		values := make([][]byte, len(keys))
		for i, op := range ops {
			values[i] = op.Value
		}
		return values, nil
	}
}

// Write writes a checkpoint in one transaction.
func (s *Store) Write(ctx context.Context, writes []core.Write) error {
	ops := make([]*storage.Operation, len(writes))
	for i, w := range writes {
		ops[i] = operation(w)
	}
	return s.batch(ctx, ops)
}

// SetAside keeps records that could not be read under keys of their own, for
// whoever wants to look at them, and makes room for a new state.
func (s *Store) SetAside(ctx context.Context, at time.Time, records []core.Write) error {
	var ops []*storage.Operation
	for _, r := range records {
		aside := fmt.Sprintf("aside/%s/%s", at.UTC().Format(time.RFC3339), r.Key)
		ops = append(ops, storage.SetOperation(aside, r.Value))
	}
	return s.batch(ctx, ops)
}

func operation(w core.Write) *storage.Operation {
	if w.Value == nil {
		return storage.DeleteOperation(w.Key)
	}
	return storage.SetOperation(w.Key, w.Value)
}

func (s *Store) batch(ctx context.Context, ops []*storage.Operation) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client == nil {
		return errNotOpen
	}
	defer caught(&err)
	return s.client.Batch(ctx, ops...)
}
