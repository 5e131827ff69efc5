package core

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"pgregory.net/rapid"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// TestKeysTellAttributesApart makes up pairs of attribute sets from very few
// words, so that many are alike and some are the same: their keys are the same
// exactly if the sets are.
func TestKeysTellAttributesApart(t *testing.T) {
	h := NewHasher(7)
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawAttributes(t), drawAttributes(t)
		same := canonical(a) == canonical(b)
		require.Equal(t, same, h.attrs(rolePoint, a) == h.attrs(rolePoint, b), "%s and %s", canonical(a), canonical(b))
	})
}

func drawAttributes(t *rapid.T) pcommon.Map {
	m := pcommon.NewMap()
	for range rapid.IntRange(0, 3).Draw(t, "attributes") {
		drawValue(t, m.PutEmpty(rapid.SampledFrom([]string{"", "a", "b", "ab"}).Draw(t, "key")), 0)
	}
	return m
}

func drawValue(t *rapid.T, v pcommon.Value, depth int) {
	kinds := 6
	if depth < 2 {
		kinds = 8
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "type") {
	case 0:
	case 1:
		v.SetStr(rapid.SampledFrom([]string{"", "a", "b", "ab", "1", "true"}).Draw(t, "string"))
	case 2:
		v.SetInt(rapid.Int64Range(0, 1).Draw(t, "int"))
	case 3:
		v.SetDouble(rapid.SampledFrom([]float64{0, 1}).Draw(t, "double"))
	case 4:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case 5:
		v.SetEmptyBytes().FromRaw([]byte(rapid.SampledFrom([]string{"", "a", "ab"}).Draw(t, "bytes")))
	case 6:
		for range rapid.IntRange(0, 2).Draw(t, "elements") {
			drawValue(t, v.SetEmptySlice().AppendEmpty(), depth+1)
		}
	case 7:
		m := v.SetEmptyMap()
		for range rapid.IntRange(0, 2).Draw(t, "pairs") {
			drawValue(t, m.PutEmpty(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "key")), depth+1)
		}
	}
}

// canonical writes a set of attributes so that equal sets are equal texts.
func canonical(m pcommon.Map) string {
	var parts []string
	for k, v := range m.All() {
		parts = append(parts, fmt.Sprintf("%q=%s", k, canonicalValue(v)))
	}
	slices.Sort(parts)
	return "{" + strings.Join(parts, ",") + "}"
}

func canonicalValue(v pcommon.Value) string {
	switch v.Type() {
	case pcommon.ValueTypeMap:
		return canonical(v.Map())
	case pcommon.ValueTypeSlice:
		var parts []string
		for _, e := range v.Slice().All() {
			parts = append(parts, canonicalValue(e))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	return fmt.Sprintf("%s(%q)", v.Type(), v.AsString())
}

// TestNamesTellApart has workers whose names are alike, and groups that are:
// each is one of its own.
func TestNamesTellApart(t *testing.T) {
	names := []map[string]string{
		{"worker.id": "a"}, {"worker.id": "b"}, {"worker.id": "A"}, {"worker.id": "a "},
		{"host.name": "a", "process.pid": "1"}, {"host.name": "a/1", "process.pid": "1"}, {"host.name": "a", "process.pid": "1/1"},
		{"host.name": "1", "process.pid": "a"},
		{"worker.id": "a", "worker.incarnation": "1"}, {"worker.id": "a", "process.pid": "1"}, {"worker.id": "a1"},
		{"worker.id": "a", "service.name": "a"}, {"worker.id": "a", "service.name": ""}, {"service.name": "a"}, {},
	}
	r := newRig(testOptions())
	r.apply(blocks(len(names), func(i int, w pcommon.Map, dp pmetric.NumberDataPoint) {
		w.Clear()
		for k, v := range names[i] {
			w.PutStr(k, v)
		}
		dp.SetStartTimestamp(pcommon.Timestamp(origin + int64(i)))
	}))
	require.Len(t, r.table.living, len(names))
}

// TestTenantsCannotReachEachOther: whoever is in a group of its own can name every
// worker of another, with data or in a signal alone, and changes nothing there.
// Only a signal without any attribute of a group is looked for in all of them.
func TestTenantsCannotReachEachOther(t *testing.T) {
	r := newRig(testOptions())
	ours := func(value int64) pmetric.Metrics {
		return blocks(1, func(_ int, w pcommon.Map, dp pmetric.NumberDataPoint) {
			w.PutStr("service.name", "ours")
			w.PutStr("worker.id", "w1")
			w.PutStr("process.pid", "1")
			dp.SetIntValue(value)
		})
	}
	r.apply(ours(5))
	before := r.table.dump(false)
	for _, resource := range []map[string]string{
		{"service.name": "theirs", "worker.id": "w1", "process.pid": "1"},
		{"service.name": "theirs", "worker.id": "w1"},
		{"worker.id": "w1"},
	} {
		theirs := blocks(1, func(_ int, w pcommon.Map, dp pmetric.NumberDataPoint) {
			w.Clear()
			for k, v := range resource {
				w.PutStr(k, v)
			}
			dp.SetIntValue(1000)
		})
		r.apply(signal(theirs, lifecycle.Signal{State: lifecycle.Terminated}))
		if resource["service.name"] != "" {
			theirs.ResourceMetrics().At(0).ScopeMetrics().RemoveIf(func(pmetric.ScopeMetrics) bool { return true })
			r.apply(signal(theirs, lifecycle.Signal{State: lifecycle.Terminated}))
		}
	}
	after := r.table.dump(false)
	for line := range strings.SplitSeq(before, "\n") {
		if !strings.HasPrefix(line, "meta") && !strings.HasPrefix(line, "stats") {
			require.Contains(t, after, line)
		}
	}
}
