package core

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"pgregory.net/rapid"
)

// What was remembered of the point before never changes what a point hashes to.
func TestPointsHashAlikeWhateverCameBefore(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		h := NewHasher(rapid.Uint64().Draw(rt, "seed"))
		var last keySeeds
		for range 10 {
			m := pcommon.NewMap()
			for _, k := range rapid.SliceOfN(rapid.StringMatching(`[ab]{0,2}`), 0, 12).Draw(rt, "keys") {
				m.PutStr(k, rapid.StringMatching(`[ab]{0,2}`).Draw(rt, "value"))
			}
			require.Equal(rt, h.attrs(rolePoint, m), h.pointAttrs(m, &last))
		}
	})
}
