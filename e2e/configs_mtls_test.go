package e2e

import (
	"crypto/tls"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
)

// client_ca_file, which tls-and-auth.yaml offers, keeps out who has no
// certificate, even with the right token.
func TestConfigMutualTLS(t *testing.T) {
	dir := t.TempDir()
	stranger := selfSigned(t, dir)
	tokens := filepath.Join(dir, "tokens")
	require.NoError(t, os.WriteFile(tokens, []byte("right\n"), 0o600))
	// Whoever has the server's key counts as a client here: one authority is enough.
	certFile := filepath.Join(dir, "tls.crt")
	cert, err := tls.LoadX509KeyPair(certFile, filepath.Join(dir, "tls.key"))
	require.NoError(t, err)
	withCert := stranger.Transport.(*http.Transport).Clone()
	withCert.TLSClientConfig.Certificates = []tls.Certificate{cert}
	t.Cleanup(withCert.CloseIdleConnections)
	friend := &http.Client{Transport: withCert}

	c := run(t, "tls-and-auth.yaml", []string{"OTELCOL_WORKERS_TLS=" + dir, "OTELCOL_WORKERS_TOKENS=" + tokens},
		testPorts, testFlush, testScrape, []string{
			"receivers::workeragg::protocols::grpc::tls::client_ca_file=" + certFile,
			"receivers::workeragg::protocols::http::tls::client_ca_file=" + certFile,
		})
	ctx := harness.Context(t)
	start := time.Now().Add(-time.Second)
	w := newPusher("https://"+c.Addr("http")).says("Authorization", "Bearer right", "x-worker-id", "w1")
	announce := `{"state": "running", "resource": {"service.name": "shop", "deployment.environment.name": "prod"}}`

	w.client = stranger
	for _, call := range [][3]string{
		{http.MethodPost, "/v1/metrics", jobsDone(start, 1)}, {http.MethodPut, "/v1/workers/w1", announce}, {http.MethodGet, "/v1/workers", ""},
	} {
		_, err := w.try(ctx, call[0], call[1], call[2])
		assert.ErrorContains(t, err, "certificate required", call[1])
	}
	assert.Error(t, overGRPC(ctx, c.Addr("grpc"), stranger, "right", start, 1))

	w.client = friend
	assert.Equal(t, http.StatusOK, w.counts(t, start, 3).code)
	assert.Equal(t, http.StatusOK, w.send(t, http.MethodPut, "/v1/workers/w1", announce).code)
	assert.Equal(t, http.StatusOK, w.send(t, http.MethodGet, "/v1/workers", "").code)
	assert.NoError(t, overGRPC(ctx, c.Addr("grpc"), friend, "right", start, 10))
	counted(t, c.Addr("prometheus"), 13)
}
