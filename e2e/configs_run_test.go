package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
	"github.com/otelcol-workers/otelcol-workers/e2e/sink"
)

// run starts the built collector on a shipped configuration.
func run(t *testing.T, file string, env []string, settings ...[]string) *collector.Collector {
	t.Helper()
	return harness.Collector(t, collector.Options{
		ConfigFile: filepath.Join(configDir(t), file),
		Env:        env,
		Set:        set(settings...),
	})
}

// Totals reach a backend that is away for a while, and the number is right.
func TestConfigOTLPBackend(t *testing.T) {
	backend := sink.OTLP(t)
	backend.Refuse(2)
	c := run(t, "otlp-backend.yaml", []string{"OTLP_BACKEND=" + backend.URL}, testPorts, testFlush,
		[]string{`exporters::otlp_http::retry_on_failure::initial_interval=100ms`})
	w := newPusher("http://"+c.Addr("http")).says("x-worker-id", "w1", "x-worker-incarnation", "1")
	start := time.Now().Add(-time.Second)
	assert.Equal(t, http.StatusOK, w.counts(t, start, 3).code)
	assert.Equal(t, http.StatusOK, w.says("x-worker-state", "terminated").counts(t, start, 4).code)
	assert.Equal(t, http.StatusOK, w.says("x-worker-incarnation", "2").counts(t, start.Add(time.Millisecond), 10).code)
	arrived(t, backend, "jobs.done", 14, map[string]string{"service.name": "shop", "worker.id": ""})
	assert.Equal(t, 2, backend.Refused())
}

func TestConfigRemoteWrite(t *testing.T) {
	backend := sink.RemoteWrite(t)
	c := run(t, "remote-write.yaml", []string{"REMOTE_WRITE=" + backend.URL + "/api/v1/write"}, testPorts, testFlush)
	w := newPusher("http://"+c.Addr("http")).says("x-worker-id", "w1")
	start := time.Now().Add(-time.Second)
	assert.Equal(t, http.StatusOK, w.says("x-worker-state", "terminated").counts(t, start, 3).code)
	assert.Equal(t, http.StatusOK, w.counts(t, start.Add(time.Millisecond), 10).code)
	arrived(t, backend, "jobs_done_total", 13, map[string]string{"job": "shop", "deployment_environment_name": "prod", "instance": ""})
}

// Signals of any kind travel through the agent, and the gateway's answers travel
// back: an acknowledgement means counted, whoever gives it.
func TestConfigAgentAndGateway(t *testing.T) {
	gateway := run(t, "agent-and-gateway/gateway.yaml", nil, testPorts, testFlush, testScrape)
	agent := run(t, "agent-and-gateway/agent.yaml", []string{"GATEWAY=" + gateway.Addr("grpc")}, testPorts)
	start := time.Now().Add(-time.Second)
	w := newPusher("http://"+agent.Addr("http")).says("x-worker-id", "w1")
	old, young := w.says("x-worker-incarnation", "1"), w.says("x-worker-incarnation", "2")

	assert.Equal(t, http.StatusOK, old.counts(t, start, 3).code)
	counted(t, gateway.Addr("prometheus"), 3)
	assert.Equal(t, http.StatusOK, old.says("x-worker-state", "terminated").counts(t, start, 5).code)
	assert.Equal(t, http.StatusOK, young.counts(t, start.Add(time.Millisecond), 2).code)
	counted(t, gateway.Addr("prometheus"), 7)

	// The gateway knows that the old life was replaced, and says so through the agent.
	path := "/v1/workers/w1"
	zombie := w.send(t, http.MethodPut, path, `{"state": "running", "incarnation": "1"}`)
	assert.Equal(t, http.StatusConflict, zombie.code, zombie.body)
	assert.True(t, zombie.says("has been replaced"), zombie.body)

	// A supervisor's report, too.
	report := w.send(t, http.MethodPut, path, `{"state": "terminated", "incarnation": "2", "reason": "SIGKILL"}`)
	assert.Equal(t, http.StatusOK, report.code, report.body)
	counted(t, gateway.Addr("prometheus"), 7)

	// No gateway, no acknowledgement.
	require.NoError(t, gateway.Kill())
	assert.Equal(t, http.StatusServiceUnavailable, young.counts(t, start.Add(time.Millisecond), 4).code)
	require.NoError(t, gateway.Restart(harness.Context(t)))
	harness.Eventually(t, young.accepted(start.Add(time.Millisecond), 4))
	counted(t, gateway.Addr("prometheus"), 9)
}

// Without a token nothing is taken, neither counts nor words about workers.
func TestConfigTLSAndAuth(t *testing.T) {
	dir := t.TempDir()
	client := selfSigned(t, dir)
	tokens := filepath.Join(dir, "tokens")
	require.NoError(t, os.WriteFile(tokens, []byte("right # of the shop\n"), 0o600))
	c := run(t, "tls-and-auth.yaml", []string{"OTELCOL_WORKERS_TLS=" + dir, "OTELCOL_WORKERS_TOKENS=" + tokens},
		testPorts, testFlush, testScrape)

	nobody := newPusher("https://"+c.Addr("http")).says("x-worker-id", "w1")
	nobody.client = client
	start := time.Now().Add(-time.Second)
	goodbye := `{"state": "terminated", "resource": {"service.name": "shop", "deployment.environment.name": "prod"}}`
	for _, stranger := range []pusher{nobody, nobody.says("Authorization", "Bearer wrong")} {
		assert.Equal(t, http.StatusUnauthorized, stranger.counts(t, start, 1).code)
		assert.Equal(t, http.StatusUnauthorized, stranger.send(t, http.MethodPut, "/v1/workers/w1", goodbye).code)
		assert.Equal(t, http.StatusUnauthorized, stranger.send(t, http.MethodGet, "/v1/workers", "").code)
	}

	friend := nobody.says("Authorization", "Bearer right")
	pushed := friend.counts(t, start, 3)
	assert.Equal(t, http.StatusOK, pushed.code, pushed.body)
	counted(t, c.Addr("prometheus"), 3)
	assert.Equal(t, http.StatusOK, friend.send(t, http.MethodPut, "/v1/workers/w1", goodbye).code)
	ctx := harness.Context(t)
	assert.ErrorContains(t, overGRPC(ctx, c.Addr("grpc"), client, "wrong", start, 10), "Unauthenticated")
	assert.NoError(t, overGRPC(ctx, c.Addr("grpc"), client, "right", start, 10))
	listed := friend.send(t, http.MethodGet, "/v1/workers", "")
	assert.True(t, listed.says(`"state":"terminated"`), listed.body)
	counted(t, c.Addr("prometheus"), 13)
}
