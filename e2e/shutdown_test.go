package e2e

import (
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/fleet"
	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
)

// orchestratorsPatience is how long Kubernetes waits, unless told otherwise,
// between SIGTERM and SIGKILL.
const orchestratorsPatience = 30 * time.Second

// Workers that are stopped while they push, or before they have said hello, do
// not keep the collector from ending in time, with a last flush: started again it
// has all they pushed.
func TestStalledWorkersDoNotHoldUpTheEnd(t *testing.T) {
	c := harness.Collector(t, collector.Options{Config: chaosConfig, Set: []string{"processors::deadworkerretain::stale_after=10m"}})
	ctx := harness.Context(t)
	var workers []*fleet.Worker
	for i := range 4 {
		w := harness.Worker(t, fleet.Options{Name: fmt.Sprint("w", i), GRPC: c.Addr("grpc"), Service: "shop",
			Resource: map[string]string{"service.instance.id": fmt.Sprint("w", i), "deployment.environment.name": "prod"}})
		harness.Must(t, w.Work(ctx, "mail", 1))
		harness.Must(t, w.Push(ctx))
		workers = append(workers, w)
	}
	pushing, stop := context.WithCancel(ctx)
	pushed := make(chan struct{}, len(workers))
	for _, w := range workers {
		go func() {
			for pushing.Err() == nil && w.Push(pushing) == nil {
			}
			pushed <- struct{}{}
		}()
	}
	for _, w := range workers {
		harness.Must(t, w.Stall())
	}
	silent, err := new(net.Dialer).DialContext(ctx, "tcp", c.Addr("grpc"))
	require.NoError(t, err)
	defer silent.Close()

	asked := time.Now()
	require.NoError(t, c.Stop(ctx))
	assert.Less(t, time.Since(asked), orchestratorsPatience)

	stop()
	for range workers {
		<-pushed
	}
	require.NoError(t, c.Restart(ctx))
	counted(t, c.Addr("prometheus"), 4)
}
