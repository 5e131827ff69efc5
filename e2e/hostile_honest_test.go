package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/exposition"
	"github.com/otelcol-workers/otelcol-workers/e2e/fleet"
	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
	"github.com/otelcol-workers/otelcol-workers/e2e/worker"
)

// honest is a worker that counts and pushes all the time.
type honest struct {
	*fleet.Worker
	stopping atomic.Bool
	ended    chan error
}

func startHonest(t *testing.T, c *collector.Collector) *honest {
	t.Helper()
	h := &honest{ended: make(chan error, 1), Worker: harness.Worker(t, fleet.Options{Name: "honest", GRPC: c.Addr("grpc"), Service: "shop",
		Resource: map[string]string{"service.instance.id": "honest", "deployment.environment.name": "prod"}})}
	ctx := harness.Context(t)
	count := func() error { return errors.Join(h.Work(ctx, "mail", 0.25), h.Push(ctx)) }
	require.NoError(t, count())
	go func() {
		for !h.stopping.Load() {
			if err := count(); err != nil {
				h.ended <- err
				return
			}
		}
		h.ended <- nil
	}()
	return h
}

// totals waits until what the honest worker has pushed is shown, to the last job.
func (h *honest) totals(t *testing.T, shown string) {
	t.Helper()
	h.stopping.Store(true)
	require.NoError(t, <-h.ended)
	harness.Eventually(t, func(ctx context.Context) error {
		samples, err := exposition.Fetch(ctx, harness.MetricsURL(shown))
		if err != nil {
			return err
		}
		if wrong := worker.Seen(samples, map[string]string{"job": "shop"}).Differences(h.Pushed()); len(wrong) > 0 {
			return errors.New(strings.Join(wrong, "\n"))
		}
		return nil
	})
}

// grepped serves the lines of a /metrics that are about the service shop. The
// others are not parsed: 10,000 labels take the parser seconds.
func grepped(t *testing.T, addr string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if err := grep(req.Context(), w, harness.MetricsURL(addr)); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
		}
	}))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

func grep(ctx context.Context, w io.Writer, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %s", url, resp.Status)
	}
	all, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(all) {
		kind := bytes.HasPrefix(line, []byte("# TYPE job")) || bytes.HasPrefix(line, []byte("# TYPE work"))
		if kind || bytes.Contains(line, []byte(`job="shop"`)) {
			_, _ = w.Write(line) // who hangs up does not miss it
		}
	}
	return nil
}
