package workersdk

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	collectorpb "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// sink is an OTLP endpoint that refuses the first refusals requests for good.
type sink struct {
	collectorpb.UnimplementedMetricsServiceServer
	mu       sync.Mutex
	refusals int
	requests []*collectorpb.ExportMetricsServiceRequest
}

func (s *sink) Export(_ context.Context, r *collectorpb.ExportMetricsServiceRequest) (*collectorpb.ExportMetricsServiceResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refusals > 0 {
		s.refusals--
		return nil, status.Error(codes.FailedPrecondition, "worker has been replaced")
	}
	s.requests = append(s.requests, r)
	return &collectorpb.ExportMetricsServiceResponse{}, nil
}

func (s *sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	request := new(collectorpb.ExportMetricsServiceRequest)
	if err == nil {
		err = proto.Unmarshal(body, request)
	}
	if err == nil {
		_, err = s.Export(r.Context(), request)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
	}
}

func overGRPC(t *testing.T, s *sink) sdkmetric.Exporter {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := grpc.NewServer()
	collectorpb.RegisterMetricsServiceServer(server, s)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	t.Cleanup(func() {
		server.Stop()
		require.NoError(t, <-served)
	})
	exporter, err := otlpmetricgrpc.New(t.Context(),
		otlpmetricgrpc.WithInsecure(), otlpmetricgrpc.WithEndpoint(listener.Addr().String()))
	require.NoError(t, err)
	return exporter
}

func overHTTP(t *testing.T, s *sink) sdkmetric.Exporter {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	exporter, err := otlpmetrichttp.New(t.Context(), otlpmetrichttp.WithEndpointURL(server.URL))
	require.NoError(t, err)
	return exporter
}

func TestGoodbyeOnTheWire(t *testing.T) {
	for name, connect := range map[string]func(*testing.T, *sink) sdkmetric.Exporter{"grpc": overGRPC, "http": overHTTP} {
		t.Run(name, func(t *testing.T) {
			s := &sink{refusals: 1}
			reader := NewReader(connect(t, s))
			provider := sdkmetric.NewMeterProvider(
				sdkmetric.WithResource(Resource(attribute.String("worker.id", "w1"))),
				sdkmetric.WithReader(reader))
			jobs, err := provider.Meter("shop").Int64Counter("jobs")
			require.NoError(t, err)
			jobs.Add(t.Context(), 3)

			err = provider.Shutdown(t.Context())
			require.ErrorIs(t, err, ErrNotAcknowledged)
			require.ErrorContains(t, err, "worker has been replaced", "the collector's own words reach the worker")
			require.NoError(t, reader.Shutdown(t.Context()))

			require.Len(t, s.requests, 1)
			require.Len(t, s.requests[0].ResourceMetrics, 1)
			rm := s.requests[0].ResourceMetrics[0]
			ids := map[string]string{}
			for _, a := range rm.Resource.Attributes {
				ids[a.Key] = a.Value.GetStringValue()
			}
			assert.Equal(t, "w1", ids["worker.id"])
			assert.NotEmpty(t, ids["worker.incarnation"])

			require.Len(t, rm.ScopeMetrics, 2)
			song, goodbye := rm.ScopeMetrics[0].Metrics[0], rm.ScopeMetrics[1].Metrics[0]
			assert.Equal(t, "jobs", song.Name)
			assert.Equal(t, int64(3), song.GetSum().DataPoints[0].GetAsInt())
			assert.Equal(t, "worker.state", goodbye.Name)
			point := goodbye.GetGauge().DataPoints[0]
			assert.Equal(t, int64(2), point.GetAsInt())
			assert.GreaterOrEqual(t, point.TimeUnixNano, song.GetSum().DataPoints[0].TimeUnixNano)
			assert.Empty(t, point.Attributes)
		})
	}
}
