package core

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// formatVersion is the version of the state on disk. A state of an older
// version is read, and written whole in this one by the first checkpoint; one of
// a newer is not ours to touch.
//
//	1: a series or a life is one record
//	2: what it is and what it has counted are two
const formatVersion = 2

// Every record is: version (1 byte), CRC-32C of the payload (4 bytes, little
// endian), payload. In the payload, integers are varints, doubles eight bytes,
// strings and lists have their length in front.
const recordHead = 5

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrNewer means that the state was written by a newer version of this code.
var ErrNewer = errors.New("the state was written by a newer version")

// encoder writes the payload of a record.
type encoder struct{ b []byte }

func (e *encoder) uint(v uint64)    { e.b = binary.AppendUvarint(e.b, v) }
func (e *encoder) int(v int64)      { e.b = binary.AppendVarint(e.b, v) }
func (e *encoder) double(v float64) { e.b = binary.LittleEndian.AppendUint64(e.b, math.Float64bits(v)) }
func (e *encoder) fixed(v uint64)   { e.b = binary.LittleEndian.AppendUint64(e.b, v) }
func (e *encoder) flags(v uint8)    { e.b = append(e.b, v) }

func (e *encoder) key(k Key) {
	e.fixed(k.Hi)
	e.fixed(k.Lo)
}

func (e *encoder) text(s string) {
	e.uint(uint64(len(s)))
	e.b = append(e.b, s...)
}

func (e *encoder) bool(v bool) {
	if v {
		e.flags(1)
	} else {
		e.flags(0)
	}
}

func (e *encoder) extent(x extent) {
	e.uint(uint64(x.size))
	e.uint(uint64(x.n))
}

func (e *encoder) attrs(m pcommon.Map) {
	e.uint(uint64(m.Len()))
	for k, v := range m.All() {
		e.text(k)
		e.value(v)
	}
}

func (e *encoder) value(v pcommon.Value) {
	e.flags(uint8(v.Type()))
	switch v.Type() {
	case pcommon.ValueTypeStr:
		e.text(v.Str())
	case pcommon.ValueTypeInt:
		e.int(v.Int())
	case pcommon.ValueTypeDouble:
		e.double(v.Double())
	case pcommon.ValueTypeBool:
		e.bool(v.Bool())
	case pcommon.ValueTypeBytes:
		e.text(string(v.Bytes().AsRaw()))
	case pcommon.ValueTypeMap:
		e.attrs(v.Map())
	case pcommon.ValueTypeSlice:
		e.uint(uint64(v.Slice().Len()))
		for _, x := range v.Slice().All() {
			e.value(x)
		}
	}
}

// record puts the head before the payload.
func (e *encoder) record() []byte {
	r := make([]byte, recordHead, recordHead+len(e.b))
	r[0] = formatVersion
	binary.LittleEndian.PutUint32(r[1:], crc32.Checksum(e.b, castagnoli))
	return append(r, e.b...)
}

// recordOrNone is nil if the payload is empty.
func (e *encoder) recordOrNone() []byte {
	if len(e.b) == 0 {
		return nil
	}
	return e.record()
}

// decoder reads a payload. After the first error everything is zero.
type decoder struct {
	b       []byte
	version uint8
	err     error
}

// open checks the head of a record.
func open(r []byte) *decoder {
	switch {
	case len(r) < recordHead:
		return &decoder{err: fmt.Errorf("record has %d bytes, expected %d at least", len(r), recordHead)}
	case r[0] == 0:
		return &decoder{err: errors.New("record has no format")}
	case r[0] > formatVersion:
		return &decoder{err: fmt.Errorf("%w: format %d, this is %d", ErrNewer, r[0], formatVersion)}
	case binary.LittleEndian.Uint32(r[1:]) != crc32.Checksum(r[recordHead:], castagnoli):
		return &decoder{err: errors.New("record is damaged: its checksum does not fit")}
	}
	return &decoder{b: r[recordHead:], version: r[0]}
}

var errShort = errors.New("record ends too early")

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err = err
	}
	d.b = nil
}

// must fails, with what is wrong, unless ok.
func (d *decoder) must(ok bool, format string, args ...any) {
	if !ok && d.err == nil {
		d.fail(fmt.Errorf(format, args...))
	}
}

func (d *decoder) uint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.fail(errShort)
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) int() int64 {
	v, n := binary.Varint(d.b)
	if n <= 0 {
		d.fail(errShort)
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) take(n uint64) []byte {
	if n > uint64(len(d.b)) {
		d.fail(errShort)
		return nil
	}
	b := d.b[:n]
	d.b = d.b[n:]
	return b
}

func (d *decoder) fixed() uint64 {
	b := d.take(8)
	if b == nil {
		return 0
	}
	return binary.LittleEndian.Uint64(b)
}

func (d *decoder) flags() uint8 {
	b := d.take(1)
	if b == nil {
		return 0
	}
	return b[0]
}

func (d *decoder) double() float64 { return math.Float64frombits(d.fixed()) }
func (d *decoder) bool() bool      { return d.flags() != 0 }
func (d *decoder) key() Key        { return Key{d.fixed(), d.fixed()} }
func (d *decoder) text() string    { return string(d.take(d.uint())) }

// count reads the length of a list whose elements take a byte each at least.
func (d *decoder) count() int {
	n := d.uint()
	if n > uint64(len(d.b)) {
		d.fail(errShort)
		return 0
	}
	return int(n)
}

// maxExtent bounds what a damaged number can make us reserve.
const maxExtent = 1 << 28

func (d *decoder) extent() extent {
	size, n := d.uint(), d.uint()
	if size > maxExtent || n > size {
		d.fail(fmt.Errorf("%d of %d slots are taken, expected %d slots at most", n, size, maxExtent))
		return extent{}
	}
	return extent{int(size), int(n)}
}

func (d *decoder) attrs(m pcommon.Map) {
	n := d.count()
	m.EnsureCapacity(n)
	for i := 0; i < n && d.err == nil; i++ {
		k := d.text()
		d.value(m.PutEmpty(k))
	}
}

func (d *decoder) value(v pcommon.Value) {
	switch t := pcommon.ValueType(d.flags()); t {
	case pcommon.ValueTypeEmpty:
	case pcommon.ValueTypeStr:
		v.SetStr(d.text())
	case pcommon.ValueTypeInt:
		v.SetInt(d.int())
	case pcommon.ValueTypeDouble:
		v.SetDouble(d.double())
	case pcommon.ValueTypeBool:
		v.SetBool(d.bool())
	case pcommon.ValueTypeBytes:
		v.SetEmptyBytes().FromRaw(d.take(d.uint()))
	case pcommon.ValueTypeMap:
		d.attrs(v.SetEmptyMap())
	case pcommon.ValueTypeSlice:
		s := v.SetEmptySlice()
		for n := d.count(); n > 0 && d.err == nil; n-- {
			d.value(s.AppendEmpty())
		}
	default:
		d.fail(fmt.Errorf("value has type %d, which there is not", t))
	}
}
