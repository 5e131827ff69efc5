//go:build !race

package promtest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/exposition"
	"github.com/otelcol-workers/otelcol-workers/e2e/fleet"
	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
)

// selfMetrics are the collector's own metrics, after everything has happened
// that makes one appear, under the shipped configuration.
func selfMetrics(t *testing.T) exposition.Samples {
	c := harness.Collector(t, collector.Options{
		ConfigFile: configFile(t, "default.yaml"),
		Set: []string{
			`receivers::workeragg::protocols::grpc::endpoint={{addr "grpc"}}`,
			`receivers::workeragg::protocols::http::endpoint={{addr "http"}}`,
			`extensions::health_check::endpoint={{addr "health"}}`,
			`exporters::prometheus::endpoint={{addr "prometheus"}}`,
			`processors::deadworkerretain::flush_interval=` + flushInterval,
			`service::telemetry::metrics::readers=[{pull: {exporter: {prometheus: {host: 127.0.0.1, port: {{port "self"}}}}}}]`,
		},
	})
	ctx := harness.Context(t)
	worker := func() *fleet.Worker {
		options := fleet.Options{Name: "w1", Service: "shop", GRPC: c.Addr("grpc"), Resource: map[string]string{"service.instance.id": "w1"}}
		options.Detect = true
		w := harness.Worker(t, options)
		require.NoError(t, w.Work(ctx, "mail", 1))
		require.NoError(t, w.Push(ctx))
		return w
	}
	zombie, replacement := worker(), worker()
	says := func(pid int, state string) int {
		return put(t, "http://"+c.Addr("http")+"/v1/workers/w1", fmt.Sprintf(`{"state": %q, "pid": %d}`, state, pid))
	}
	require.Equal(t, http.StatusOK, says(zombie.PID(), "terminated"))
	require.Equal(t, http.StatusConflict, says(zombie.PID(), "running"), "a replaced life is fenced")
	require.NoError(t, replacement.Goodbye(ctx))

	var samples exposition.Samples
	harness.Eventually(t, func(ctx context.Context) error {
		var err error
		samples, err = exposition.Fetch(ctx, harness.MetricsURL(c.Addr("self")))
		if err == nil && samples.Sum("otelcol_exporter_sent_metric_points", nil) == 0 {
			err = errors.New("nothing has been sent")
		}
		return err
	})
	return samples
}

func put(t *testing.T, url, body string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(harness.Context(t), http.MethodPut, url, strings.NewReader(body))
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode
}

// onTarget are the labels that Prometheus adds when it scrapes.
var onTarget = map[string]string{"job": "otelcol-workers", "instance": "localhost:8888"}

// documented are metrics that no healthy collector shows: their counter is born
// with the first event. The component's own documentation vouches for them.
var documented = map[string]string{
	"otelcol_deadworkerretain_state_resets": "processor/deadworkerretain/documentation.md",
}

// Every metric, label and label value that an alert or a panel asks for is one
// that the built collector has.
func TestQueriesAskForWhatThereIs(t *testing.T) {
	if testing.Short() {
		t.Skip("needs the built collector")
	}
	samples := selfMetrics(t)
	asked := map[string]bool{}
	for _, q := range append(alertQueries(t), dashboardQueries(t)...) {
		selectors := q.selectors()
		require.NotEmpty(t, selectors, q.where)
		has := map[string]bool{}
		for _, s := range selectors {
			asked[s.Name] = true
			for label := range labelsOf(t, samples, q.where, s) {
				has[label] = true
			}
		}
		for _, label := range append(q.labels(), q.shows...) {
			assert.True(t, has[label], "%s: no metric in it has the label %q", q.where, label)
		}
		for _, label := range q.shows {
			assert.True(t, q.keeps(label), "%s: its result has lost the label %q", q.where, label)
		}
	}
	// And the other way round: all that our components say is shown somewhere.
	for _, sample := range samples {
		if strings.HasPrefix(sample.Name, "otelcol_deadworkerretain_") || strings.HasPrefix(sample.Name, "otelcol_workeragg_") {
			assert.True(t, asked[sample.Name], "no panel and no alert shows %s", sample.Name)
		}
	}
}
