package e2e

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/resource"
	"google.golang.org/grpc/credentials"
)

// selfSigned writes tls.crt and tls.key for loopback and returns a client that
// trusts them and nobody else.
func selfSigned(t *testing.T, dir string) *http.Client {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(time.Hour),
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA:         true, BasicConstraintsValid: true,
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	rawKey, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)

	trusted := x509.NewCertPool()
	for file, block := range map[string]*pem.Block{
		"tls.crt": {Type: "CERTIFICATE", Bytes: cert},
		"tls.key": {Type: "PRIVATE KEY", Bytes: rawKey},
	} {
		text := pem.EncodeToMemory(block)
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), text, 0o600))
		if file == "tls.crt" {
			trusted.AppendCertsFromPEM(text)
		}
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// overGRPC pushes jobs.done of the service shop by an SDK's exporter, which
// trusts whom the client trusts.
func overGRPC(ctx context.Context, addr string, trusting *http.Client, token string, start time.Time, jobs int64) error {
	exporter, err := otlpmetricgrpc.New(ctx,
		otlpmetricgrpc.WithEndpoint(addr),
		otlpmetricgrpc.WithTLSCredentials(credentials.NewTLS(trusting.Transport.(*http.Transport).TLSClientConfig.Clone())),
		otlpmetricgrpc.WithHeaders(map[string]string{"authorization": "Bearer " + token}),
		otlpmetricgrpc.WithRetry(otlpmetricgrpc.RetryConfig{}),
	)
	if err != nil {
		return err
	}
	return errors.Join(exporter.Export(ctx, &metricdata.ResourceMetrics{
		Resource: resource.NewSchemaless(
			attribute.String("service.name", "shop"),
			attribute.String("deployment.environment.name", "prod"),
			attribute.String("worker.id", "over gRPC"),
		),
		ScopeMetrics: []metricdata.ScopeMetrics{{Metrics: []metricdata.Metrics{{
			Name: "jobs.done",
			Data: metricdata.Sum[int64]{
				Temporality: metricdata.CumulativeTemporality, IsMonotonic: true,
				DataPoints: []metricdata.DataPoint[int64]{{StartTime: start, Time: time.Now(), Value: jobs}},
			},
		}}}},
	}), exporter.Shutdown(ctx))
}
