package lifecycle

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"go.opentelemetry.io/collector/pdata/pcommon"
)

func TestCandidateName(t *testing.T) {
	for _, test := range []struct {
		candidate Candidate
		attrs     map[string]any
		want      string
		ok        bool
	}{
		{Candidate{"worker.id"}, map[string]any{"worker.id": "a/b c"}, "a/b c", true},
		{Candidate{"worker.id"}, map[string]any{"worker.id": 7}, "7", true},
		{Candidate{"worker.id"}, map[string]any{"worker.id": ""}, "", false},
		{Candidate{"worker.id"}, map[string]any{}, "", false},
		{Candidate{"host.name", "process.pid"}, map[string]any{"host.name": "h", "process.pid": 12}, "h/12", true},
		{Candidate{"host.name", "process.pid"}, map[string]any{"host.name": "h/1", "process.pid": 2}, "h%2F1/2", true},
		{Candidate{"host.name", "process.pid"}, map[string]any{"host.name": "h"}, "", false},
	} {
		attrs := pcommon.NewMap()
		assert.NoError(t, attrs.FromRaw(test.attrs))
		name, ok := test.candidate.Name(attrs)
		assert.Equal(t, test.want, name, test)
		assert.Equal(t, test.ok, ok, test)
	}
}
