package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/e2e/exposition"
	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
	"github.com/otelcol-workers/otelcol-workers/e2e/sink"
)

// The shipped configurations listen on ports that every reader knows. In tests
// they listen on free ones, and flush more often than anybody would.
var testPorts = []string{
	`receivers::workeragg::protocols::grpc::endpoint={{addr "grpc"}}`,
	`receivers::workeragg::protocols::http::endpoint={{addr "http"}}`,
	`extensions::health_check::endpoint={{addr "health"}}`,
	`service::telemetry::metrics::readers=[{pull: {exporter: {prometheus: {host: 127.0.0.1, port: {{port "self"}}}}}}]`,
}

var testFlush = []string{`processors::deadworkerretain::flush_interval=100ms`}

var testScrape = []string{`exporters::prometheus::endpoint={{addr "prometheus"}}`}

// answer is what an HTTP request is answered.
type answer struct {
	code int
	body string
}

// pusher sends what a worker without an SDK would.
type pusher struct {
	client *http.Client
	url    string
	header http.Header
}

func newPusher(url string) pusher {
	return pusher{client: http.DefaultClient, url: url, header: http.Header{}}
}

// says adds headers to all requests.
func (p pusher) says(pairs ...string) pusher {
	p.header = p.header.Clone()
	for i := 0; i < len(pairs); i += 2 {
		p.header.Set(pairs[i], pairs[i+1])
	}
	return p
}

func (p pusher) try(ctx context.Context, method, path, body string) (answer, error) {
	req, err := http.NewRequestWithContext(ctx, method, p.url+path, bytes.NewBufferString(body))
	if err != nil {
		return answer{}, err
	}
	req.Header = p.header.Clone()
	req.Header.Set("Content-Type", "application/json")
	resp, err := p.client.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, string(text)}, err
}

func (p pusher) send(t *testing.T, method, path, body string) answer {
	t.Helper()
	a, err := p.try(harness.Context(t), method, path, body)
	require.NoError(t, err)
	return a
}

// counts pushes jobs.done of the service shop, as counted since the start.
func (p pusher) counts(t *testing.T, start time.Time, jobs int) answer {
	t.Helper()
	return p.send(t, http.MethodPost, "/v1/metrics", jobsDone(start, jobs))
}

// accepted is a condition: the same push is answered with 200.
func (p pusher) accepted(start time.Time, jobs int) func(context.Context) error {
	return func(ctx context.Context) error {
		a, err := p.try(ctx, http.MethodPost, "/v1/metrics", jobsDone(start, jobs))
		if err == nil && a.code != http.StatusOK {
			err = fmt.Errorf("answered %d %s, expected 200", a.code, a.body)
		}
		return err
	}
}

func jobsDone(start time.Time, jobs int) string {
	return fmt.Sprintf(`{"resourceMetrics": [{
		"resource": {"attributes": [
			{"key": "service.name", "value": {"stringValue": "shop"}},
			{"key": "deployment.environment.name", "value": {"stringValue": "prod"}}]},
		"scopeMetrics": [{"metrics": [{"name": "jobs.done", "sum": {
			"aggregationTemporality": 2, "isMonotonic": true,
			"dataPoints": [{"asInt": "%d", "startTimeUnixNano": "%d", "timeUnixNano": "%d"}]}}]}]}]}`,
		jobs, start.UnixNano(), time.Now().UnixNano())
}

// counted waits until the Prometheus exporter shows this total of jobs.
func counted(t *testing.T, addr string, want float64) {
	t.Helper()
	harness.Eventually(t, func(ctx context.Context) error {
		samples, err := exposition.Fetch(ctx, harness.MetricsURL(addr))
		if err != nil {
			return err
		}
		labels := map[string]string{"job": "shop", "deployment_environment_name": "prod"}
		if got := samples.Sum("jobs_done_total", labels); got != want {
			return fmt.Errorf("jobs_done_total%v is %v, expected %v", labels, got, want)
		}
		return nil
	})
}

// arrived waits until a backend has one series of this name, with these labels
// and this value.
func arrived(t *testing.T, backend *sink.Sink, name string, want float64, labels map[string]string) {
	t.Helper()
	harness.Eventually(t, func(context.Context) error {
		all := backend.All(name)
		if len(all) != 1 || all[0].Value != want {
			return fmt.Errorf("the backend has %v, expected one series %q of %v", all, name, want)
		}
		for k, v := range labels {
			if all[0].Labels[k] != v {
				return harness.Hopeless(fmt.Errorf("label %s of %v, expected %q", k, all[0], v))
			}
		}
		return nil
	})
}

func set(groups ...[]string) []string {
	var all []string
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

// says reports whether an answer's body says this.
func (a answer) says(text string) bool { return strings.Contains(a.body, text) }
