package workeragg

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/config/configopaque"
	"go.opentelemetry.io/collector/config/configoptional"
	"go.opentelemetry.io/collector/config/configtls"
)

// authority signs certificates.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) authority {
	a := authority{t: t}
	a.key, a.cert = a.sign(&x509.Certificate{IsCA: true, BasicConstraintsValid: true}, a)
	return a
}

// sign makes a certificate; without a signer's it signs itself.
func (a authority) sign(template *x509.Certificate, signer authority) (*ecdsa.PrivateKey, *x509.Certificate) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(a.t, err)
	template.SerialNumber = big.NewInt(1)
	template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	parent, parentKey := template, key
	if signer.cert != nil {
		parent, parentKey = signer.cert, signer.key
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, parentKey)
	require.NoError(a.t, err)
	cert, err := x509.ParseCertificate(raw)
	require.NoError(a.t, err)
	return key, cert
}

// issue is a certificate for whoever is on the loopback, server or client.
func (a authority) issue() tls.Certificate {
	key, cert := a.sign(&x509.Certificate{
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}, a)
	return tls.Certificate{Certificate: [][]byte{cert.Raw}, PrivateKey: key}
}

func (a authority) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	return pool
}

// server is the configuration of a server with a certificate of the authority's,
// which takes clients of another authority only, if there is one.
func (a authority) server(clients *authority) configoptional.Optional[configtls.ServerConfig] {
	cert := a.issue()
	key, err := x509.MarshalPKCS8PrivateKey(cert.PrivateKey)
	require.NoError(a.t, err)
	cfg := configtls.ServerConfig{Config: configtls.Config{
		CertPem: configopaque.String(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert.Certificate[0]})),
		KeyPem:  configopaque.String(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})),
	}}
	if clients != nil {
		cfg.ClientCAFile = filepath.Join(a.t.TempDir(), "clients.crt")
		text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: clients.cert.Raw})
		require.NoError(a.t, os.WriteFile(cfg.ClientCAFile, text, 0o600))
	}
	return configoptional.Some(cfg)
}
