package core

import (
	"encoding/binary"
	"math"

	"github.com/zeebo/xxh3"
	"go.opentelemetry.io/collector/pdata/pcommon"
)

// Key names a group, an identity, a stream or a series by the hash of what
// identifies it.
//
// Two different things are taken for one only if all 128 bits agree. Among a
// billion things that happens with a probability below 2^-69, far below that of
// a memory error. Nobody can look for such a pair: the hash is keyed with a
// random seed that never leaves the process, except into its own state file.
type Key struct {
	Hi, Lo uint64
}

// plus joins two keys so that order does not matter.
func (k Key) plus(o Key) Key { return Key{k.Hi + o.Hi, k.Lo + o.Lo} }

// role keeps equal words in different places apart. Keys are part of the state on
// disk, so that new roles come last.
type role uint64

const (
	roleGroup role = iota + 1
	roleIdentity
	roleLife
	roleScope
	roleScopeAttr
	roleMetric
	rolePoint
	roleClosed
	roleOverflow
	roleDepth
	roleInstance
)

// Hasher makes keys. It is safe for concurrent use.
type Hasher struct {
	seed uint64
}

// NewHasher makes a hasher whose keys depend on the seed.
func NewHasher(seed uint64) Hasher { return Hasher{seed: seed} }

func (h Hasher) text(r role, s string) Key {
	u := xxh3.HashString128Seed(s, h.seed+uint64(r)*0x9e3779b97f4a7c15)
	return Key{u.Hi, u.Lo}
}

func (h Hasher) words(r role, words ...uint64) Key {
	var buf [32]byte
	b := buf[:0]
	for _, w := range words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	u := xxh3.Hash128Seed(b, h.seed+uint64(r)*0x9e3779b97f4a7c15)
	return Key{u.Hi, u.Lo}
}

// attr hashes a key with its value: the key's hash seeds the value's.
func (h Hasher) attr(r role, k string, v pcommon.Value) Key {
	return h.value(h.attrSeed(r, k), v)
}

// textAttr is attr of a value that is a string.
func (h Hasher) textAttr(r role, k, v string) Key {
	u := xxh3.HashString128Seed(v, h.attrSeed(r, k))
	return Key{u.Hi, u.Lo}
}

func (h Hasher) attrSeed(r role, k string) uint64 {
	return xxh3.HashStringSeed(k, h.seed+uint64(r)*0x9e3779b97f4a7c15)
}

func (h Hasher) value(seed uint64, v pcommon.Value) Key {
	switch v.Type() {
	case pcommon.ValueTypeStr:
		u := xxh3.HashString128Seed(v.Str(), seed)
		return Key{u.Hi, u.Lo}
	case pcommon.ValueTypeInt:
		return Hasher{seed}.words(roleDepth, uint64(v.Int()), uint64(pcommon.ValueTypeInt))
	case pcommon.ValueTypeDouble:
		return Hasher{seed}.words(roleDepth, math.Float64bits(v.Double()), uint64(pcommon.ValueTypeDouble))
	case pcommon.ValueTypeBool:
		b := uint64(0)
		if v.Bool() {
			b = 1
		}
		return Hasher{seed}.words(roleDepth, b, uint64(pcommon.ValueTypeBool))
	case pcommon.ValueTypeBytes:
		u := xxh3.Hash128Seed(v.Bytes().AsRaw(), seed+uint64(pcommon.ValueTypeBytes))
		return Key{u.Hi, u.Lo}
	case pcommon.ValueTypeSlice:
		return h.slice(seed, v.Slice())
	case pcommon.ValueTypeMap:
		sum := Hasher{seed}.words(roleDepth, uint64(pcommon.ValueTypeMap))
		for k, e := range v.Map().All() {
			sum = sum.plus(Hasher{seed}.attr(roleDepth, k, e))
		}
		return Hasher{seed}.words(roleDepth, sum.Hi, sum.Lo)
	default:
		return Hasher{seed}.words(roleDepth, uint64(v.Type()))
	}
}

// slice chains its elements, because here order matters.
func (h Hasher) slice(seed uint64, s pcommon.Slice) Key {
	chain := Hasher{seed}.words(roleDepth, uint64(pcommon.ValueTypeSlice), uint64(s.Len()))
	for i := range s.Len() {
		e := h.value(seed, s.At(i))
		chain = Hasher{seed}.words(roleDepth, chain.Hi, chain.Lo, e.Hi, e.Lo)
	}
	return chain
}

// keySeeds remembers what the first keys of the last point hashed to. Most points
// have the keys of the one before, in the same order.
type keySeeds [8]struct {
	key  string
	seed uint64
}

// pointAttrs is attrs of a point.
func (h Hasher) pointAttrs(m pcommon.Map, last *keySeeds) Key {
	var sum Key
	i := 0
	for k, v := range m.All() {
		if i == len(last) {
			sum = sum.plus(h.attr(rolePoint, k, v))
			continue
		}
		at := &last[i]
		if at.seed == 0 || at.key != k {
			at.key, at.seed = k, h.attrSeed(rolePoint, k)
		}
		sum = sum.plus(h.value(at.seed, v))
		i++
	}
	return sum
}

// attrs hashes a set of attributes; their order does not matter.
func (h Hasher) attrs(r role, m pcommon.Map) Key {
	var sum Key
	for k, v := range m.All() {
		sum = sum.plus(h.attr(r, k, v))
	}
	return sum
}
