package deadworkerretain

import "sync"

// turns is a lock that lets those who wait go in turn. A flush gives its lock up
// and takes it again hundreds of times: with a plain mutex it would mostly be
// faster than whoever was woken meanwhile, and pushes would wait for many of its
// steps instead of one.
type turns struct {
	// next is held by the one who waits for the table, which is why others cannot
	// come before.
	next, table sync.Mutex
}

func (t *turns) Lock() {
	t.next.Lock()
	t.table.Lock()
	t.next.Unlock()
}

func (t *turns) Unlock() { t.table.Unlock() }
