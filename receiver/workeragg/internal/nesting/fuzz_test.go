package nesting

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// deepest is how deep a decoder without schema goes that calls itself for all
// that has a length and is not small.
func deepest(message []byte) (depth int) {
	for at := 0; at < len(message); {
		tag, n := binary.Uvarint(message[at:])
		if n <= 0 || int32(tag>>3) <= 0 {
			return depth
		}
		at += n
		switch tag & 7 {
		case 0:
			_, n = binary.Uvarint(message[at:])
		case 1:
			n = 8
		case 2:
			size, head := binary.Uvarint(message[at:])
			if head <= 0 || size > uint64(len(message)-at-head) {
				return depth
			}
			if size >= Small {
				depth = max(depth, 1+deepest(message[at+head:][:size]))
			}
			n = head + int(size)
		case 3, 4:
			n = 0
		case 5:
			n = 4
		default:
			return depth
		}
		if n < 0 || (n == 0 && tag&7 == 0) {
			return depth
		}
		at += n
	}
	return depth
}

// FuzzProtobuf reads anything, in pieces of any size: what a decoder would go
// down is found, and the pieces make no difference.
func FuzzProtobuf(f *testing.F) {
	f.Add([]byte{0x0a, 0x01, 0x00}, uint16(998), uint8(1))
	f.Add([]byte("\x0a\xff\xff\x03text"), uint16(1001), uint8(3))
	f.Add([]byte{0x0b, 0x0c, 0x7f}, uint16(0), uint8(7))
	f.Fuzz(func(t *testing.T, inner []byte, levels uint16, size uint8) {
		padded := slices.Concat(inner, make([]byte, Small))
		request := within(padded, int(levels)%2000, 1, 5)
		err := scan(&Protobuf{}, request, int(size)+1)
		assert.Equal(t, err, scan(&Protobuf{}, request, len(request)))
		if deepest(request) > MaxMessages {
			assert.Error(t, err)
		} else {
			assert.NoError(t, err)
		}
	})
}
