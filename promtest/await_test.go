//go:build !race

package promtest

import (
	"context"
	"fmt"
	"time"
)

const (
	flushInterval  = "200ms"
	scrapeInterval = "1s"
	staleAfter     = "2s"
	heartbeat      = 200 * time.Millisecond
	askAgain       = 50 * time.Millisecond
)

// await waits until a condition returns nil, as long as the context lasts. It
// is for goroutines, which must not end the test.
func await(ctx context.Context, condition func() error) error {
	tick := time.NewTicker(askAgain)
	defer tick.Stop()
	for {
		err := condition()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w; %w", err, ctx.Err())
		case <-tick.C:
		}
	}
}
