package core

import (
	"encoding/json"
	setting "flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = setting.Bool("update", false, "write the golden state of the present format again")

// TestGoldenStates restores the states of all formats that were ever released.
// A file holds the records of a state, beside it stands what the table must be.
// If a format changes its number must, and a new pair of files is made with
// -update; the old ones stay.
func TestGoldenStates(t *testing.T) {
	if *update {
		writeGolden(t, fmt.Sprintf("testdata/state.v%d.json", formatVersion))
	}
	files, err := filepath.Glob("testdata/state.v*.json")
	require.NoError(t, err)
	require.Len(t, files, formatVersion, "a state of every format")
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		r := stateIn(t, raw)
		restored, err := r.restored()
		require.NoError(t, err, file)
		require.NoError(t, restored.table.check(), file)
		upgraded := restored.rewritten(t)
		want, err := os.ReadFile(file + ".txt")
		require.NoError(t, err)
		got := restored.describe()
		require.Equal(t, string(want), got, "%s:\n%s", file, difference(string(want), got))
		table, _, _ := strings.Cut(string(want), "\n\n")
		got = upgraded.table.dump(false)
		require.Equal(t, table, got, "%s, written in the present format:\n%s", file, difference(table, got))
	}
}

// rewritten is the rig after a second crash, which came after a checkpoint in the
// present format. Nothing of an older one is left.
func (r *rig) rewritten(t *testing.T) *rig {
	c := r.table.BeginCheckpoint(r.now, r.next)
	r.finish(c)
	for key, record := range r.disk {
		if !strings.Contains(key, "/f/") && !strings.Contains(key, "/c/") {
			require.EqualValues(t, formatVersion, record[0], key)
		}
	}
	again, err := r.restored()
	require.NoError(t, err)
	return again
}

func stateIn(t require.TestingT, raw []byte) *rig {
	r := soundState()
	r.disk = disk{}
	require.NoError(t, json.Unmarshal(raw, &r.disk))
	return r
}

// describe is a table, and what it puts out.
func (r *rig) describe() string {
	return r.table.dump(false) + "\n\n" + outputText(r.flush().Metrics()) + "\n"
}

func writeGolden(t *testing.T, file string) {
	r := soundState()
	raw, err := json.MarshalIndent(r.disk, "", " ")
	require.NoError(t, err)
	restored, err := r.restored()
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll("testdata", 0o755))
	require.NoError(t, os.WriteFile(file, append(raw, '\n'), 0o644))
	require.NoError(t, os.WriteFile(file+".txt", []byte(restored.describe()), 0o644))
}

// TestNewerStateIsLeftAlone: what a later version wrote is not read as if it were ours.
func TestNewerStateIsLeftAlone(t *testing.T) {
	sound := soundState()
	for key := range sound.disk {
		newer := append([]byte(nil), sound.disk[key]...)
		newer[0] = formatVersion + 1
		_, err := sound.with(key, newer).restored()
		require.ErrorIs(t, err, ErrNewer, key)
		var damaged *DamagedError
		require.ErrorAs(t, err, &damaged, key)
		require.Equal(t, key, damaged.Key)
	}
}

// TestNoDamageGoesUnseen damages every record of a state in every way that a disk
// may: nothing of it is used.
func TestNoDamageGoesUnseen(t *testing.T) {
	sound := soundState()
	for key, was := range sound.disk {
		for name, damage := range map[string]func([]byte) []byte{
			"a bit flipped": func(b []byte) []byte { b[len(b)/2] ^= 0x10; return b },
			"cut in half":   func(b []byte) []byte { return b[:len(b)/2] },
			"no bytes":      func([]byte) []byte { return []byte{} },
			"zeroes":        func(b []byte) []byte { clear(b); return b },
			"longer":        func(b []byte) []byte { return append(b, 0) },
			"foreign":       func([]byte) []byte { return []byte("SQLite format 3\x00") },
		} {
			_, err := sound.with(key, damage(append([]byte(nil), was...))).restored()
			var damaged *DamagedError
			require.ErrorAs(t, err, &damaged, "%s: %s", key, name)
		}
		if key == MetaKey || strings.Contains(key, "/j/") {
			continue // without it there is no state, or the journal is shorter
		}
		lost := sound.with(key, nil)
		delete(lost.disk, key)
		_, err := lost.restored()
		require.Error(t, err, "%s is gone", key)
	}
}
