//go:build synctest

package simulated

import (
	"testing"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/contender"
)

// oursActor is the processor with its state on disk, as in the shipped
// configuration; everything not named here is left at its default.
func oursActor(t *testing.T) (actor, error) {
	dir := t.TempDir()
	var disk *contender.Disk
	t.Cleanup(func() {
		if err := disk.Close(); err != nil {
			t.Error(err)
		}
	})
	return newPipelineActor(func() (*contender.Pipeline, error) {
		if disk != nil {
			if err := disk.Close(); err != nil {
				return nil, err
			}
		}
		var err error
		if disk, err = contender.NewDisk(dir); err != nil {
			return nil, err
		}
		return contender.NewOursOn(disk, map[string]any{
			"initial_value": "auto", "flush_interval": "15s", "stale_after": "60s", "storage": disk.Name(),
		})
	})
}
