//go:build synctest

package simulated

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/extension/xextension/storage"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/contender"
	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
)

// TestCheckpoint times a checkpoint of 100,000 streams in a file_storage, and
// counts what it writes: after all workers have pushed, one in a hundred, or none.
func TestCheckpoint(t *testing.T) {
	workers := size(100, 4)
	for _, services := range []int{1, workers} {
		for _, changed := range []struct {
			name    string
			workers int
		}{{"all", workers}, {"hundredth", max(workers/100, 1)}, {"none", 0}} {
			name := fmt.Sprintf("streams=%d/series=%d/changed=%s", 1000*workers, 1000*services, changed.name)
			bubble(t, name, func(t *testing.T) {
				f := payload.NewFleet(payload.Numbers(1000), payload.Size{Workers: workers, Services: services})
				measureCheckpoints(t, name, f, changed.workers)
			})
		}
	}
}

// The k-th checkpoint comes k minutes before the k-th flush, so that each can be
// timed alone.
const (
	flushes     = 10 * time.Minute
	checkpoints = 9 * time.Minute
)

func measureCheckpoints(t *testing.T, name string, f *payload.Fleet, pushing int) {
	disk, err := contender.NewDisk(t.TempDir())
	require.NoError(t, err)
	counted := &countingDisk{Disk: disk}
	p, err := contender.NewOursOn(counted, map[string]any{
		"flush_interval": flushes.String(), "checkpoint_interval": checkpoints.String(), "stale_after": "24h", "storage": disk.Name(),
	})
	require.NoError(t, err)
	for range f.Round() {
		push(t, p, f)
	}
	time.Sleep(flushes + time.Second)
	var took []time.Duration
	var wrote written
	for range 5 {
		for range pushing {
			push(t, p, f)
		}
		runtime.GC()
		counted.written = written{}
		took = append(took, elapse(checkpoints-time.Second))
		wrote = counted.written
		time.Sleep(flushes - checkpoints + time.Second)
	}
	figure("Checkpoint/"+name, middle(took).Nanoseconds(), "ns/op", wrote.bytes, "written-B/op", wrote.records, "records/op")
	require.NoError(t, p.Stop())
	require.NoError(t, disk.Close())
}

// countingDisk counts what is written to a disk, keys included.
type countingDisk struct {
	*contender.Disk
	written
}

type written struct{ bytes, records int }

func (d *countingDisk) GetExtensions() map[component.ID]component.Component {
	all := d.Disk.GetExtensions()
	for id, ext := range all {
		all[id] = &countingExtension{Extension: ext.(storage.Extension), disk: d}
	}
	return all
}

type countingExtension struct {
	storage.Extension
	disk *countingDisk
}

func (e *countingExtension) GetClient(ctx context.Context, kind component.Kind, id component.ID, name string) (storage.Client, error) {
	client, err := e.Extension.GetClient(ctx, kind, id, name)
	return &countingClient{Client: client, disk: e.disk}, err
}

type countingClient struct {
	storage.Client
	disk *countingDisk
}

func (c *countingClient) Batch(ctx context.Context, ops ...*storage.Operation) error {
	for _, op := range ops {
		if op.Type != storage.Get {
			c.disk.records++
			c.disk.bytes += len(op.Key) + len(op.Value)
		}
	}
	return c.Client.Batch(ctx, ops...)
}
