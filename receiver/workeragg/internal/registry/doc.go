// Package registry remembers the workers that a receiver has heard of: where
// each one's data goes, what state it is in, when it was last heard of and over
// which connections it sends.
//
// It is a memory, not an authority. Whether a signal may change a life is the
// processor's decision; the registry is told of it afterwards. It may forget
// anything at any time: then signals are passed on with what they carry.
//
// An entry is one life, so an entry is never written on behalf of another life
// of the same worker.
package registry
