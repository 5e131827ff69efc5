package core

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// FuzzRestore puts a record with any payload, and a checksum that fits, into the
// place of one of a sound state, of any format. Whatever it says, a restore ends,
// with a table or with an error; and a table can be used.
func FuzzRestore(f *testing.F) {
	states := goldenStates(f)
	for version := range states {
		for i, key := range states[version].keys() {
			f.Add(uint8(version), uint16(i), states[version].disk[key][recordHead:])
		}
	}
	f.Fuzz(func(t *testing.T, version uint8, at uint16, payload []byte) {
		sound := states[int(version)%len(states)]
		keys := sound.keys()
		r := sound.with(keys[int(at)%len(keys)], sealed(int(version)%len(states)+1, payload))
		if !fewSlots(open(r.disk[MetaKey])) {
			t.Skip("a state with many slots takes long to look for")
		}
		r.restoreAndUse()
	})
}

// TestRestoreOfAnyByte puts odd bytes into every place of every record of sound
// states of all formats, with a checksum that fits. RESTORE_STRIDE says how many
// places to leave out between two (97).
func TestRestoreOfAnyByte(t *testing.T) {
	stride := 97
	if text, ok := os.LookupEnv("RESTORE_STRIDE"); ok {
		var err error
		stride, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	most := binary.AppendUvarint(nil, math.MaxUint64)
	odd := [][]byte{{0}, {1}, {2}, {0x7f}, {0x80}, {0xf0}, {0xff}, most, {}, {0xff, 0xff, 0xff, 0xff, 0x07}}
	tried := 0
	for i, sound := range goldenStates(t) {
		for _, key := range sound.keys() {
			payload := sound.disk[key][recordHead:]
			for at := range payload {
				for _, bytes := range odd {
					if tried++; tried%stride != 0 {
						continue
					}
					r := sound.with(key, sealed(i+1, slices.Concat(payload[:at], bytes, payload[at+1:])))
					if fewSlots(open(r.disk[MetaKey])) {
						r.restoreAndUse()
					}
				}
			}
		}
	}
	t.Logf("%d states", tried/stride)
}

// goldenStates are sound states of all formats, from the first.
func goldenStates(t require.TestingT) []*rig {
	states := make([]*rig, formatVersion)
	for i := range states {
		raw, err := os.ReadFile(fmt.Sprintf("testdata/state.v%d.json", i+1))
		require.NoError(t, err)
		states[i] = stateIn(t, raw)
	}
	return states
}

func (r *rig) keys() []string { return slices.Sorted(maps.Keys(r.disk)) }

// sealed is a record of a format.
func sealed(version int, payload []byte) []byte {
	r := (&encoder{b: payload}).record()
	r[0] = uint8(version)
	return r
}

// with is a rig whose disk holds something else under one key.
func (r *rig) with(key string, value []byte) *rig {
	d := maps.Clone(r.disk)
	d[key] = value
	return &rig{opt: r.opt, disk: d, now: r.now}
}

// restoreAndUse restores a state that may be nonsense, and if that succeeds does
// with the table what a processor does.
func (r *rig) restoreAndUse() {
	restored, err := r.restored()
	if err != nil {
		return
	}
	restored.apply(soundPush(2, r.now))
	restored.apply(signal(soundPush(3, r.now), lifecycle.Signal{State: lifecycle.Terminated}))
	for _, d := range []time.Duration{0, 2 * time.Hour, 48 * time.Hour} {
		restored.wait(d)
		restored.sweep()
		restored.flush().Metrics()
	}
}

// FuzzRestoreRaw puts any bytes there, without a head that fits.
func FuzzRestoreRaw(f *testing.F) {
	sound := soundState()
	keys := sound.keys()
	f.Add(uint16(0), []byte{})
	f.Add(uint16(1), []byte{formatVersion + 1, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, at uint16, raw []byte) {
		key := keys[int(at)%len(keys)]
		if _, err := sound.with(key, raw).restored(); err == nil && string(raw) != string(sound.disk[key]) {
			t.Fatalf("record %q was restored from %x", key, raw)
		}
	})
}

// fewSlots reads a meta record up to its slots.
func fewSlots(d *decoder) bool {
	d.key()
	d.fixed()
	for range 5 {
		d.int()
	}
	for range 3 {
		d.uint()
	}
	for range 3 {
		if x := d.extent(); x.size > 5000 {
			return false
		}
	}
	return true
}

// soundState is a small state with everything in it: lives and deaths, runs and
// returns, all kinds of metrics, closed runs, a journal.
func soundState() *rig {
	opt := testOptions()
	opt.MaxTombstones = 1
	r := newRig(opt)
	for i := range int64(4) {
		r.apply(soundPush(i, r.now))
		r.wait(time.Second)
	}
	r.apply(signal(soundPush(0, r.now), lifecycle.Signal{State: lifecycle.Terminated}))
	r.wait(30 * time.Second)
	r.apply(soundPush(1, r.now))
	r.apply(soundPush(2, r.now))
	r.wait(40 * time.Second)
	r.sweep()
	r.flush()
	r.push(signal(soundPush(1, r.now), lifecycle.Signal{State: lifecycle.Terminated}))
	r.push(soundPush(5, r.now))
	return r
}

// soundPush is a push of worker i with metrics of all kinds.
func soundPush(i int64, now Instant) pmetric.Metrics {
	md := pmetric.NewMetrics()
	rm := md.ResourceMetrics().AppendEmpty()
	rm.Resource().Attributes().PutStr("service.name", "shop")
	rm.Resource().Attributes().PutStr("worker.id", string(rune('a'+i)))
	rm.Resource().Attributes().PutEmptySlice("tags").AppendEmpty().SetDouble(0.5)
	rm.Resource().Attributes().PutEmptyMap("map").PutEmptyBytes("bytes").FromRaw([]byte{1})
	sm := rm.ScopeMetrics().AppendEmpty()
	sm.Scope().SetName("scope")
	sm.Scope().SetVersion("1.0")
	p := &fixed{start: origin, now: now, i: i}
	if i == 3 {
		p.start = now.Wall // an unknown start: the first value is a baseline
	}
	for _, kind := range kinds {
		p.metric(sm.Metrics().AppendEmpty(), kind)
	}
	return md
}

// fixed makes points without chance.
type fixed struct {
	start int64
	now   Instant
	i     int64
}

func (p *fixed) stamp(dp interface {
	SetStartTimestamp(pcommon.Timestamp)
	SetTimestamp(pcommon.Timestamp)
	Attributes() pcommon.Map
},
) {
	dp.SetStartTimestamp(pcommon.Timestamp(p.start))
	dp.SetTimestamp(pcommon.Timestamp(p.now.Wall))
	dp.Attributes().PutBool("odd", p.i%2 == 1)
}
