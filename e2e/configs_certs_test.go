package e2e

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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

// accepted is a condition: the push is answered with 200.
func accepted(t *testing.T, p pusher, start time.Time, jobs int) func(context.Context) error {
	return func(context.Context) error {
		if a := p.counts(t, start, jobs); a.code != http.StatusOK {
			return fmt.Errorf("answered %d %s, expected 200", a.code, a.body)
		}
		return nil
	}
}
