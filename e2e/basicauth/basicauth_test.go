// Package basicauth tests the receiver with the stock extension for basic auth.
// It is a module of its own because that extension is not in the built collector:
// a part of the release that the collector is built from is not published. An
// older one has the same interface.
package basicauth

import (
	"bytes"
	"context"
	"net/http"
	"testing"

	"github.com/open-telemetry/opentelemetry-collector-contrib/extension/basicauthextension"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/extension"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"go.opentelemetry.io/collector/receiver"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/otelcol-workers/otelcol-workers/receiver/workeragg"
)

// extensions is a host with these, and nothing else.
type extensions map[component.ID]component.Component

func (e extensions) GetExtensions() map[component.ID]component.Component { return e }

// configured is a component's configuration, as YAML would give it.
func configured(t *testing.T, cfg component.Config, yaml map[string]any) component.Config {
	t.Helper()
	require.NoError(t, confmap.NewFromStringMap(yaml).Unmarshal(cfg))
	return cfg
}

// start starts a component, and shuts it down at the end of the test.
func start(t *testing.T, c component.Component, host component.Host) {
	t.Helper()
	require.NoError(t, c.Start(t.Context(), host))
	t.Cleanup(func() { assert.NoError(t, c.Shutdown(context.Background())) })
}

// guarded is a receiver that lets in who knows the password, the addresses it
// listens on, and what it has let in.
func guarded(t *testing.T) (overGRPC, overHTTP string, in *consumertest.MetricsSink) {
	t.Helper()
	id := component.MustNewID("basicauth")
	factory := basicauthextension.NewFactory()
	basic, err := factory.Create(t.Context(),
		extension.Settings{ID: id, TelemetrySettings: componenttest.NewNopTelemetrySettings()},
		configured(t, factory.CreateDefaultConfig(), map[string]any{"htpasswd": map[string]any{"inline": "worker:sesame"}}))
	require.NoError(t, err)
	host := extensions{id: basic}
	start(t, basic, host)

	in = new(consumertest.MetricsSink)
	server := map[string]any{"endpoint": "127.0.0.1:0", "auth": map[string]any{"authenticator": "basicauth"}}
	core, logs := observer.New(zap.InfoLevel)
	set := receiver.Settings{ID: component.MustNewID("workeragg"), TelemetrySettings: componenttest.NewNopTelemetrySettings()}
	set.Logger = zap.New(core)
	workers, err := workeragg.NewFactory().CreateMetrics(t.Context(), set, configured(t, workeragg.NewFactory().CreateDefaultConfig(),
		map[string]any{"protocols": map[string]any{"grpc": server, "http": server}}), in)
	require.NoError(t, err)
	start(t, workers, host)
	listening := func(message string) string {
		return logs.FilterMessage(message).All()[0].ContextMap()["endpoint"].(string)
	}
	return listening("Starting GRPC server"), "http://" + listening("Starting HTTP server"), in
}

// answers are those to all that a client with these credentials can ask: by
// gRPC, and by HTTP.
func answers(t *testing.T, overGRPC, overHTTP, credentials string) (codes.Code, []int) {
	t.Helper()
	body := []byte(`{"resourceMetrics": [{"scopeMetrics": [{"metrics": [{"name": "jobs.done", "sum": {
		"aggregationTemporality": 2, "isMonotonic": true, "dataPoints": [{"asInt": "1", "timeUnixNano": "2"}]}}]}]}]}`)
	var byHTTP []int
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	for _, call := range []struct {
		method, path string
		body         []byte
	}{{"POST", "/v1/metrics", body}, {"PUT", "/v1/workers/w1", []byte(`{"state": "running"}`)}, {"GET", "/v1/workers", nil}} {
		req, err := http.NewRequestWithContext(t.Context(), call.method, overHTTP+call.path, bytes.NewReader(call.body))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		if credentials != "" {
			req.Header.Set("Authorization", credentials)
		}
		resp, err := transport.RoundTrip(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		byHTTP = append(byHTTP, resp.StatusCode)
	}

	conn, err := grpc.NewClient(overGRPC, grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(t, err)
	defer conn.Close()
	ctx := t.Context()
	if credentials != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", credentials)
	}
	request := pmetricotlp.NewExportRequest()
	require.NoError(t, request.UnmarshalJSON(body))
	_, err = pmetricotlp.NewGRPCClient(conn).Export(ctx, request)
	return status.Code(err), byHTTP
}

func TestBasicAuth(t *testing.T) {
	overGRPC, overHTTP, in := guarded(t)
	for name, credentials := range map[string]string{
		"nothing": "", "a wrong password": "Basic d29ya2VyOm9wZW4=", "no user": "Basic OnNlc2FtZQ==", "a token": "Bearer sesame", "rubbish": "Basic ?",
	} {
		byGRPC, byHTTP := answers(t, overGRPC, overHTTP, credentials)
		assert.Equal(t, codes.Unauthenticated, byGRPC, name)
		assert.Equal(t, []int{401, 401, 401}, byHTTP, name)
	}
	assert.Empty(t, in.AllMetrics())

	byGRPC, byHTTP := answers(t, overGRPC, overHTTP, "Basic d29ya2VyOnNlc2FtZQ==")
	assert.Equal(t, codes.OK, byGRPC)
	assert.Equal(t, []int{200, 202, 200}, byHTTP)
	assert.Len(t, in.AllMetrics(), 3, "two pushes and a word")
}
