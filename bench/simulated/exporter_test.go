//go:build synctest

package simulated

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/open-telemetry/opentelemetry-collector-contrib/exporter/prometheusexporter"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/exporter/exportertest"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
)

// TestExporterAlone shows what becomes of two workers of one service that have
// no service.instance.id when nothing adds them up. It runs by the real clock,
// since it is read over HTTP.
func TestExporterAlone(t *testing.T) {
	port, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	endpoint := port.Addr().String()
	require.NoError(t, port.Close())

	f := prometheusexporter.NewFactory()
	cfg := f.CreateDefaultConfig()
	require.NoError(t, confmap.NewFromStringMap(map[string]any{"endpoint": endpoint}).Unmarshal(cfg))
	exp, err := f.CreateMetrics(context.Background(), exportertest.NewNopSettings(f.Type()), cfg)
	require.NoError(t, err)
	require.NoError(t, exp.Start(context.Background(), componenttest.NewNopHost()))
	defer func() { assert.NoError(t, exp.Shutdown(context.Background())) }()

	right := map[string]float64{}
	for _, s := range []struct {
		worker string
		value  float64
	}{{"a", 10}, {"b", 100}, {"a", 11}} {
		right[s.worker] = s.value
		md := export(s.worker, n(s.value))
		attrs := md.ResourceMetrics().At(0).Resource().Attributes()
		attrs.Remove(payload.WorkerAttribute)
		attrs.PutStr("worker.id", s.worker)
		require.NoError(t, exp.ConsumeMetrics(context.Background(), md))
	}
	got := scrape(t, "http://"+endpoint+"/metrics", counterName+"_total")
	assert.Equal(t, 11.0, got, "the last worker's value stands for all")
	outcome("workers without service.instance.id, nothing adds them up", "prometheus exporter alone", got, right["a"]+right["b"])
}

// scrape adds up the metric's series.
func scrape(t *testing.T, url, metric string) float64 {
	rsp, err := http.Get(url)
	require.NoError(t, err)
	defer rsp.Body.Close()
	sum := 0.0
	for lines := bufio.NewScanner(rsp.Body); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), metric+"{"); ok {
			v, err := strconv.ParseFloat(rest[strings.LastIndex(rest, " ")+1:], 64)
			require.NoError(t, err)
			sum += v
		}
	}
	return sum
}
