package nesting

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
)

// scan reads a request in pieces of this many bytes.
func scan(s Scanner, request []byte, size int) error {
	for piece := range slices.Chunk(request, size) {
		if err := s.Scan(piece); err != nil {
			return err
		}
	}
	return nil
}

// within puts a field of this number around a message, again and again.
func within(inner []byte, levels int, numbers ...byte) []byte {
	reversed := slices.Clone(inner)
	slices.Reverse(reversed)
	for range levels {
		for _, number := range numbers {
			head := binary.AppendUvarint([]byte{number<<3 | 2}, uint64(len(reversed)))
			slices.Reverse(head)
			reversed = append(reversed, head...)
		}
	}
	slices.Reverse(reversed)
	return reversed
}

// attribute is a request with an array in an array in an array, on a resource.
func attribute(inner []byte, levels int) []byte {
	value := within(inner, levels, 1, 5)
	return within(within(value, 1, 2), 1, 1, 1, 1)
}

func TestProtobufIsReadToItsDepth(t *testing.T) {
	text := within(bytes.Repeat([]byte("x"), Small), 1, 1)
	for name, test := range map[string]struct {
		request []byte
		tooDeep bool
	}{
		"nothing":                         {nil, false},
		"a small attribute, however deep": {attribute(nil, 3000), false},
		"490 levels":                      {attribute(text, 490), false},
		"500 levels":                      {attribute(text, 500), true},
		"a million levels":                {attribute(nil, 1_000_000), true},
		"deep behind other fields": {slices.Concat([]byte{1 << 3, 5, 2<<3 | 1, 1, 2, 3, 4, 5, 6, 7, 8, 3<<3 | 5, 1, 2, 3, 4, 4<<3 | 2, 2, 0xff, 0xff},
			attribute(text, 500)), true},
		"deep behind a string that is no message": {slices.Concat(within(bytes.Repeat([]byte{0xff}, Small), 1, 1), attribute(text, 500)), true},
		"deep within a group":                     {slices.Concat([]byte{9<<3 | 3}, attribute(text, 500), []byte{9<<3 | 4}), true},
		"a long text":                             {within(bytes.Repeat([]byte("täxt "), Small), 1, 1), false},
		"zeros":                                   {make([]byte, 1<<20), false},
		"ends too soon":                           {attribute(text, 400)[:50], false},
	} {
		for _, size := range []int{1, 3, 4096, 1 << 30} {
			err := scan(&Protobuf{}, test.request, size)
			assert.Equal(t, test.tooDeep, err != nil, "%s, in pieces of %d", name, size)
		}
	}
	assert.EqualError(t, scan(&Protobuf{}, attribute(text, 500), 4096), "request is nested deeper than 1000 levels")
}

// The stock decoder reads what these tests send as an attribute that is as deep
// as they say.
func TestTheDecoderGoesAsDeep(t *testing.T) {
	request := pmetricotlp.NewExportRequest()
	assert.NoError(t, request.UnmarshalProto(attribute(nil, 3000)))
	value, _ := request.Metrics().ResourceMetrics().At(0).Resource().Attributes().Get("")
	levels := 0
	for ; value.Type() == pcommon.ValueTypeSlice; value = value.Slice().At(0) {
		levels++
	}
	assert.Equal(t, 3000, levels)
}

func TestJSONIsReadToItsDepth(t *testing.T) {
	open := func(n int) string { return strings.Repeat(`{"k":[`, n/2) }
	for name, test := range map[string]struct {
		request string
		tooDeep bool
	}{
		"nothing":              {"", false},
		"deep enough":          {open(MaxBrackets), false},
		"too deep":             {open(MaxBrackets) + "[", true},
		"side by side":         {"[" + strings.Repeat("[],", MaxBrackets) + "[]]", false},
		"brackets in a string": {`"` + strings.Repeat("[{", MaxBrackets) + `"`, false},
		"behind a quote":       {`["\"",` + open(MaxBrackets), true},
		"behind a backslash":   {`["\\",` + open(MaxBrackets), true},
	} {
		for _, size := range []int{1, 3, 4096, 1 << 30} {
			err := scan(&JSON{}, []byte(test.request), size)
			assert.Equal(t, test.tooDeep, err != nil, "%s, in pieces of %d", name, size)
		}
	}
	assert.EqualError(t, scan(&JSON{}, []byte(open(MaxBrackets)+"["), 7), "request is nested deeper than 10000 levels")
}
