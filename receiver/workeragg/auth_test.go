package workeragg

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/config/configauth"
	"go.opentelemetry.io/collector/config/confighttp"
	"go.opentelemetry.io/collector/config/configmiddleware"
	"go.opentelemetry.io/collector/config/configoptional"
	"go.opentelemetry.io/collector/extension/extensionauth"
	"go.opentelemetry.io/collector/extension/extensionmiddleware"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// guard lets those in who know the word.
type guard struct {
	component.StartFunc
	component.ShutdownFunc
}

var _ extensionauth.Server = guard{}

func (guard) Authenticate(ctx context.Context, headers map[string][]string) (context.Context, error) {
	for _, key := range []string{"Authorization", "authorization"} {
		if v := headers[key]; len(v) == 1 && v[0] == "Bearer sesame" {
			return ctx, nil
		}
	}
	return ctx, errors.New("the word is wrong")
}

// counting is a middleware of the user's that sees what passes.
type counting struct {
	component.StartFunc
	component.ShutdownFunc
	http, grpc int
}

func (c *counting) GetHTTPHandler(context.Context) (extensionmiddleware.WrapHTTPHandlerFunc, error) {
	return func(_ context.Context, next http.Handler) (http.Handler, error) {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			c.http++
			next.ServeHTTP(w, req)
		}), nil
	}, nil
}

func (c *counting) GetGRPCServerOptions(context.Context) ([]grpc.ServerOption, error) {
	return []grpc.ServerOption{grpc.ChainUnaryInterceptor(
		func(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
			c.grpc++
			return next(ctx, req)
		})}, nil
}

type hostWith map[component.ID]component.Component

func (h hostWith) GetExtensions() map[component.ID]component.Component { return h }

func guarded(t *testing.T) (*rig, *counting) {
	t.Helper()
	guardID, countingID := component.MustNewID("guard"), component.MustNewID("counting")
	seen := &counting{}
	host := hostWith{guardID: guard{}, countingID: seen}
	r := newRig(t, withHost(host), withConfig(func(c *Config) {
		auth := configauth.Config{AuthenticatorID: guardID}
		middlewares := []configmiddleware.Config{{ID: countingID}}
		grpcConfig, httpConfig := c.Protocols.GRPC.Get(), &c.Protocols.HTTP.Get().ServerConfig
		grpcConfig.Auth = configoptional.Some(auth)
		grpcConfig.Middlewares = middlewares
		httpConfig.Auth = configoptional.Some(confighttp.AuthConfig{Config: auth})
		httpConfig.Middlewares = middlewares
		httpConfig.CORS = configoptional.Some(confighttp.CORSConfig{
			AllowedOrigins: []string{"https://app.example.com"},
			AllowedHeaders: []string{"x-worker-id", "x-worker-state", "content-type"},
		})
	}))
	require.Len(t, host, 2, "the user's extensions are left as they are")
	return r, seen
}

func TestAuthenticationCoversWorkersAndSignals(t *testing.T) {
	r, seen := guarded(t)
	terminated := `{"state": "terminated"}`
	for _, contentType := range []string{asText, "application/x-www-form-urlencoded", "text/plain", ""} {
		headers := labels{}
		if contentType != "" {
			headers["Content-Type"] = contentType
		}
		for _, call := range [][2]string{{"PUT", "/v1/workers/w"}, {"GET", "/v1/workers"}, {"DELETE", "/v1/workers/w/x"}} {
			got := r.call(call[0], call[1], terminated, headers)
			assert.Equal(t, 401, got.code, "%v %q", call, contentType)
			assert.Equal(t, asText, got.header.Get("Content-Type"))
			assert.JSONEq(t, `{"code": 16, "message": "the word is wrong"}`, got.body, "the stock receiver's answer")
		}
	}
	goodbye := labels{"x-worker-id": "w", "x-worker-state": "terminated"}
	assert.Equal(t, 401, r.post(counter(nil, at(1), at(2), 1), asText, goodbye).code)
	assert.Equal(t, 401, r.post(counter(nil, at(1), at(2), 1), asBinary, labels{"x-worker-state": "dead"}).code, "not even a word on the header")
	client := pmetricotlp.NewGRPCClient(r.dial())
	_, err := client.Export(grpcContext(goodbye), pmetricotlp.NewExportRequest())
	assert.Equal(t, codes.Unauthenticated, status.Code(err))
	assert.Empty(t, r.metrics.AllMetrics())
	assert.Zero(t, seen.http)

	word := labels{"Authorization": "Bearer sesame", "Content-Type": asText}
	assert.Equal(t, 202, r.call("PUT", "/v1/workers/w", terminated, word).code)
	assert.Equal(t, 200, r.call("GET", "/v1/workers", "", word).code)
	goodbye["authorization"] = "Bearer sesame"
	assert.Equal(t, 200, r.post(counter(nil, at(1), at(2), 1), asText, goodbye).code)
	_, err = client.Export(grpcContext(goodbye), pmetricotlp.NewExportRequest())
	require.NoError(t, err)
	assert.Len(t, r.told(), 3)
	assert.Equal(t, 3, seen.http, "the user's middlewares cover it too")
	assert.Equal(t, 1, seen.grpc)
}

func TestCORSCoversWorkersAndHeaders(t *testing.T) {
	r, _ := guarded(t)
	preflight := func(path, method, headers string) answer {
		return r.call("OPTIONS", path, "", labels{"Origin": "https://app.example.com",
			"Access-Control-Request-Method": method, "Access-Control-Request-Headers": headers})
	}
	allowed := preflight("/v1/metrics", "POST", "content-type,x-worker-id,x-worker-state")
	assert.Equal(t, "https://app.example.com", allowed.header.Get("Access-Control-Allow-Origin"), "a browser says goodbye by header")
	allowed = preflight("/v1/workers", "GET", "content-type")
	assert.Equal(t, "https://app.example.com", allowed.header.Get("Access-Control-Allow-Origin"))
	refused := preflight("/v1/workers/w", "PUT", "content-type")
	assert.Empty(t, refused.header.Get("Access-Control-Allow-Origin"), "the stock block has no way to allow PUT")
}
