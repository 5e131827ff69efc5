package workeragg

import (
	"crypto/tls"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
)

// overTLS asks everything that can be asked, as a client with this
// configuration, nil for one without TLS: by HTTP, and then by gRPC. It returns
// who let it in.
func (r *rig) overTLS(client *tls.Config) map[string]bool {
	r.t.Helper()
	in := map[string]bool{}
	url := r.httpURL
	creds := insecure.NewCredentials()
	transport := &http.Transport{TLSClientConfig: client}
	defer transport.CloseIdleConnections()
	if client != nil {
		url = strings.Replace(url, "http://", "https://", 1)
		creds = credentials.NewTLS(client)
	}
	request := pmetricotlp.NewExportRequestFromMetrics(counter(labels{"worker.id": "w"}, at(1), at(2), 1))
	body, err := request.MarshalJSON()
	require.NoError(r.t, err)
	for _, call := range [][3]string{
		{"POST", "/v1/metrics", string(body)},
		{"PUT", "/v1/workers/w", `{"state": "running"}`},
		{"GET", "/v1/workers", ""},
	} {
		req, err := http.NewRequestWithContext(r.t.Context(), call[0], url+call[1], strings.NewReader(call[2]))
		require.NoError(r.t, err)
		req.Header.Set("Content-Type", asText)
		if resp, err := transport.RoundTrip(req); err == nil {
			in[call[0]+" "+call[1]] = resp.StatusCode == http.StatusOK || resp.StatusCode == http.StatusAccepted
			assert.NoError(r.t, resp.Body.Close())
		}
	}
	conn, err := grpc.NewClient(r.grpcAddr, grpc.WithTransportCredentials(creds))
	require.NoError(r.t, err)
	defer func() { _ = conn.Close() }()
	_, err = pmetricotlp.NewGRPCClient(conn).Export(r.t.Context(), request)
	if err != nil {
		assert.Equal(r.t, codes.Unavailable, status.Code(err), "%v", err)
	}
	in["gRPC"] = err == nil
	return in
}

var everywhere = map[string]bool{"POST /v1/metrics": true, "PUT /v1/workers/w": true, "GET /v1/workers": true, "gRPC": true}

func TestTLSLetsInWhoHasTheRightCertificate(t *testing.T) {
	servers, clients, others := newAuthority(t), newAuthority(t), newAuthority(t)
	nobody := &tls.Config{RootCAs: servers.pool()}
	friend := &tls.Config{RootCAs: servers.pool(), Certificates: []tls.Certificate{clients.issue()}}
	stranger := &tls.Config{RootCAs: servers.pool(), Certificates: []tls.Certificate{others.issue()}}
	for name, test := range map[string]struct {
		clients *authority
		letIn   *tls.Config
		keptOut map[string]*tls.Config
	}{
		"TLS": {nil, nobody, map[string]*tls.Config{"without TLS": nil}},
		"mTLS": {&clients, friend, map[string]*tls.Config{
			"without TLS":                         nil,
			"without a certificate":               nobody,
			"with a certificate of somebody else": stranger,
		}},
	} {
		r := newRig(t, withConfig(func(c *Config) {
			c.Protocols.GRPC.Get().TLS = servers.server(test.clients)
			c.Protocols.HTTP.Get().ServerConfig.TLS = servers.server(test.clients)
		}))
		for who, client := range test.keptOut {
			for where, in := range r.overTLS(client) {
				assert.False(t, in, "%s: a client %s is let in by %s", name, who, where)
			}
		}
		assert.Empty(t, r.metrics.AllMetrics())
		assert.Equal(t, everywhere, r.overTLS(test.letIn), name)
		assert.Len(t, r.metrics.AllMetrics(), 3, "all but the list")
		require.NoError(t, r.stop())
	}
}
