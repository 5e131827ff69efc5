package registry

import (
	"encoding/binary"
	"hash/maphash"
	"math"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// hash recognises a resource that was seen before without comparing it. The
// order of attributes counts: an SDK sends the same one each time, and another
// order only costs a slower look. The seed keeps senders from making collisions.
func hash(seed maphash.Seed, attrs pcommon.Map) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	var number [9]byte
	for k, v := range attrs.All() {
		writeString(&h, k)
		number[0] = byte(v.Type())
		switch v.Type() {
		case pcommon.ValueTypeStr:
			_ = h.WriteByte(number[0])
			writeString(&h, v.Str())
			continue
		case pcommon.ValueTypeInt:
			binary.LittleEndian.PutUint64(number[1:], uint64(v.Int()))
		case pcommon.ValueTypeDouble:
			binary.LittleEndian.PutUint64(number[1:], math.Float64bits(v.Double()))
		default:
			_ = h.WriteByte(number[0])
			writeString(&h, v.AsString())
			continue
		}
		_, _ = h.Write(number[:])
	}
	return h.Sum64()
}

func writeString(h *maphash.Hash, s string) {
	var length [4]byte
	binary.LittleEndian.PutUint32(length[:], uint32(len(s)))
	_, _ = h.Write(length[:])
	_, _ = h.WriteString(s)
}
