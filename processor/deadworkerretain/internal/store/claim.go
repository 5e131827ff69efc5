package store

import (
	"errors"
	"fmt"
	"sync"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/extension/xextension/storage"
)

var errNotOpen = errors.New("storage is not open")

// caught turns a panic of the storage into an error: a database that finds its
// file damaged may panic, and the pushes of the workers must go on.
func caught(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("storage failed: %v", p)
	}
}

// claims are the places in storages that are in use in this process. A
// processor that serves two pipelines is made twice, with one id and so one
// place; each would undo what the other has written.
var claims = struct {
	sync.Mutex
	taken map[place]bool
}{taken: map[place]bool{}}

type place struct {
	ext storage.Extension
	id  component.ID
}

func claim(ext storage.Extension, id component.ID) (release func(), err error) {
	claims.Lock()
	defer claims.Unlock()
	p := place{ext, id}
	if claims.taken[p] {
		return nil, fmt.Errorf("processor %q with storage serves two pipelines, expected one: give each pipeline a processor of its own, such as %s/2", id, id.Type())
	}
	claims.taken[p] = true
	return sync.OnceFunc(func() {
		claims.Lock()
		defer claims.Unlock()
		delete(claims.taken, p)
	}), nil
}
