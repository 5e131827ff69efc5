package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/extension/xextension/storage"
	"go.uber.org/goleak"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/core"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// memory is a storage extension whose next transactions can be made to fail.
type memory struct {
	component.StartFunc
	component.ShutdownFunc

	mu      sync.Mutex
	records map[string][]byte
	batches int
	fail    func() error
}

func (m *memory) GetClient(context.Context, component.Kind, component.ID, string) (storage.Client, error) {
	if m.fail != nil {
		return nil, m.fail()
	}
	return &client{m}, nil
}

type client struct{ *memory }

func (c *client) Close(context.Context) error { return nil }

func (c *client) Get(context.Context, string) ([]byte, error) { panic("one operation at a time") }
func (c *client) Set(context.Context, string, []byte) error   { panic("one operation at a time") }
func (c *client) Delete(context.Context, string) error        { panic("one operation at a time") }

func (c *client) Batch(_ context.Context, ops ...*storage.Operation) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fail != nil {
		return c.fail()
	}
	c.batches++
	for _, op := range ops {
		switch op.Type {
		case storage.Get:
			op.Value = c.records[op.Key]
		case storage.Set:
			c.records[op.Key] = op.Value
		case storage.Delete:
			delete(c.records, op.Key)
		}
	}
	return nil
}

func opened(t *testing.T) (*Store, *memory) {
	m := &memory{records: map[string][]byte{}}
	s, err := New(m, component.MustNewID("deadworkerretain"))
	require.NoError(t, err)
	require.NoError(t, s.Open(t.Context()))
	t.Cleanup(func() { require.NoError(t, s.Close(context.Background())) })
	s.Journal(7, func(n uint64) string { return fmt.Sprintf("j/%d", n) })
	return s, m
}

func TestOnePlaceForEachProcessor(t *testing.T) {
	m := &memory{records: map[string][]byte{}}
	first, err := New(m, component.MustNewID("deadworkerretain"))
	require.NoError(t, err)
	_, err = New(m, component.MustNewID("deadworkerretain"))
	require.ErrorContains(t, err, "serves two pipelines")
	second, err := New(m, component.MustNewIDWithName("deadworkerretain", "2"))
	require.NoError(t, err)
	require.NoError(t, first.Close(t.Context()))
	again, err := New(m, component.MustNewID("deadworkerretain"))
	require.NoError(t, err, "the place is free again")
	require.NoError(t, errors.Join(again.Close(t.Context()), second.Close(t.Context())))
}

func TestWriteAndGet(t *testing.T) {
	s, _ := opened(t)
	require.NoError(t, s.Write(t.Context(), []core.Write{{Key: "a", Value: []byte("1")}, {Key: "b", Value: []byte("2")}}))
	require.NoError(t, s.Write(t.Context(), []core.Write{{Key: "a"}}))
	got, err := s.Get(t.Context())([]string{"a", "b", "c"})
	require.NoError(t, err)
	require.Equal(t, [][]byte{nil, []byte("2"), nil}, got)
}

func TestAPanicIsAnError(t *testing.T) {
	s, m := opened(t)
	m.fail = func() error { panic("page 7 already freed") }
	require.ErrorContains(t, s.Write(t.Context(), nil), "page 7 already freed")
	m.fail = nil
	require.NoError(t, s.Write(t.Context(), nil), "and the storage may work again")
}

func TestOpenIsTriedAgain(t *testing.T) {
	m := &memory{records: map[string][]byte{}, fail: func() error { return errors.New("read-only file system") }}
	s, err := New(m, component.MustNewID("deadworkerretain"))
	require.NoError(t, err)
	require.ErrorContains(t, s.Open(t.Context()), "read-only file system")
	require.ErrorIs(t, s.Write(t.Context(), nil), errNotOpen)
	m.fail = nil
	require.NoError(t, s.Open(t.Context()))
	require.NoError(t, s.Close(t.Context()))
}

// A record that could not be written leaves no gap: a restore would end there.
func TestTheJournalHasNoGaps(t *testing.T) {
	s, m := opened(t)
	require.NoError(t, s.Commit(t.Context(), []byte("one")))
	m.fail = func() error { return errors.New("disk full") }
	require.ErrorContains(t, s.Commit(t.Context(), []byte("lost")), "disk full")
	m.fail = nil
	require.NoError(t, s.Commit(t.Context(), []byte("two")))
	require.Equal(t, map[string][]byte{"j/7": []byte("one"), "j/8": []byte("two")}, maps.Clone(m.records))
	require.EqualValues(t, 9, s.Next())
}

func TestManyCommitsShareTransactions(t *testing.T) {
	s, m := opened(t)
	const many = 500
	var wg sync.WaitGroup
	commit := func(i int) {
		wg.Go(func() {
			if err := s.Commit(t.Context(), []byte{byte(i)}); err != nil {
				t.Error(err)
			}
		})
	}
	m.mu.Lock() // the first one is being written, and the others queue
	commit(0)
	s.await(func(q *commits) bool { return q.writing && len(q.waiting) == 0 })
	for i := 1; i < many; i++ {
		commit(i)
	}
	s.await(func(q *commits) bool { return len(q.waiting) == many-1 })
	m.mu.Unlock()
	wg.Wait()
	require.Len(t, m.records, many)
	require.Equal(t, 2, m.batches)
}

// await waits for a state of the queue.
func (s *Store) await(reached func(*commits) bool) {
	for {
		s.commits.mu.Lock()
		ok := reached(&s.commits)
		s.commits.mu.Unlock()
		if ok {
			return
		}
		runtime.Gosched()
	}
}

// Whoever comes first is answered when its own record is written, while others
// keep coming.
func TestNobodyWritesForOthers(t *testing.T) {
	s, m := opened(t)
	entered, leave := make(chan struct{}), make(chan struct{})
	m.fail = func() error {
		entered <- struct{}{}
		<-leave
		return nil
	}
	first, second := make(chan error, 1), make(chan error, 1)
	go func() { first <- s.Commit(t.Context(), []byte("first")) }()
	<-entered
	go func() { second <- s.Commit(t.Context(), []byte("second")) }()
	s.await(func(q *commits) bool { return len(q.waiting) == 1 })
	leave <- struct{}{}
	<-entered // the second is being written
	require.NoError(t, <-first)
	leave <- struct{}{}
	require.NoError(t, <-second)
	m.fail = nil
}

// The records of one request are written together or not at all.
func TestRecordsOfOneRequest(t *testing.T) {
	s, m := opened(t)
	require.NoError(t, s.Commit(t.Context(), []byte("a"), []byte("b"), []byte("c")))
	require.Equal(t, 1, m.batches)
	require.Len(t, m.records, 3)
	require.EqualValues(t, 10, s.Next())
}

// A sender that gives up does not take the record along.
func TestASenderGivesUp(t *testing.T) {
	s, m := opened(t)
	ctx, cancel := context.WithCancel(t.Context())
	m.mu.Lock()
	done := make(chan error, 1)
	go func() { done <- s.Commit(ctx, []byte("a")) }()
	s.await(func(q *commits) bool { return q.writing })
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
	m.mu.Unlock()
	require.NoError(t, s.Commit(t.Context(), []byte("b")))
	require.Equal(t, []byte("a"), m.records["j/7"])
}

func TestSetAside(t *testing.T) {
	s, m := opened(t)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	require.NoError(t, s.SetAside(t.Context(), at, []core.Write{{Key: "meta", Value: []byte("x")}}))
	require.Equal(t, map[string][]byte{"aside/2026-01-02T03:04:05Z/meta": []byte("x")}, m.records)
}
