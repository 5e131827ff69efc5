// Package memstorage is a storage extension in memory for tests. It can be
// made to fail, to lose or to damage what it holds, and to crash: the content
// at that moment lives on in a copy.
package memstorage

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/extension/xextension/storage"
)

// ErrFails is what every operation returns while the storage fails.
var ErrFails = errors.New("the storage fails, as the test wants it to")

// Extension is the storage. Each client has keys of its own.
type Extension struct {
	component.StartFunc
	component.ShutdownFunc

	mu      sync.Mutex
	content map[string]map[string][]byte
	failing bool
}

var _ storage.Extension = (*Extension)(nil)

// New makes an empty storage.
func New() *Extension { return &Extension{content: map[string]map[string][]byte{}} }

// GetClient implements [storage.Extension].
func (e *Extension) GetClient(_ context.Context, kind component.Kind, id component.ID, name string) (storage.Client, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.failing {
		return nil, ErrFails
	}
	bucket := kind.String() + "/" + id.String() + "/" + name
	if e.content[bucket] == nil {
		e.content[bucket] = map[string][]byte{}
	}
	return &client{extension: e, bucket: bucket}, nil
}

// Fail makes all operations fail, or work again.
func (e *Extension) Fail(failing bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.failing = failing
}

// Damage turns every byte of every value over.
func (e *Extension) Damage() {
	e.each(func(bucket map[string][]byte, key string) {
		damaged := slices.Clone(bucket[key])
		for i := range damaged {
			damaged[i] ^= 0xff
		}
		bucket[key] = damaged
	})
}

// Empty forgets everything.
func (e *Extension) Empty() {
	e.each(func(bucket map[string][]byte, key string) { delete(bucket, key) })
}

func (e *Extension) each(do func(bucket map[string][]byte, key string)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, bucket := range e.content {
		for key := range bucket {
			do(bucket, key)
		}
	}
}

// Crash is a storage with what this one holds now, whatever happens to it later.
func (e *Extension) Crash() *Extension {
	e.mu.Lock()
	defer e.mu.Unlock()
	after := New()
	for name, bucket := range e.content {
		after.content[name] = maps.Clone(bucket)
	}
	return after
}
