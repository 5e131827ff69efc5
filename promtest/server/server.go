//go:build !race

// Package server is a Prometheus made of its own packages: tsdb, scrape, the
// receivers for remote write and OTLP, and promql, put together as cmd/prometheus does.
package server

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	remoteapi "github.com/prometheus/client_golang/exp/api/remote"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/prometheus/config"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/storage/remote"
	"github.com/prometheus/prometheus/tsdb"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
)

// lookback is how long a series without samples still has a value, Prometheus's default.
const lookback = 5 * time.Minute

// Server is a running Prometheus with a storage of its own.
type Server struct {
	db     *tsdb.DB
	engine *promql.Engine
	http   *httptest.Server
	log    *slog.Logger
	config *config.Config
}

// Options say what to start.
type Options struct {
	// Config is the text of prometheus.yaml. Its static_configs are scraped.
	Config string
	// StartTimes are the features st-storage, xor2-encoding and
	// use-start-timestamps: samples keep their start times, and PromQL goes by
	// them, where it takes a value that falls for a reset otherwise.
	StartTimes bool
}

// Start starts a Prometheus that ends with the test. Its remote write and OTLP
// receivers listen on [Server.URL]. What it warns of goes to the test's log.
func Start(t testing.TB, options Options) *Server {
	t.Helper()
	s, err := open(t, options)
	if err != nil {
		t.Fatalf("prometheus: %v", err)
	}
	return s
}

func open(t testing.TB, options Options) (*Server, error) {
	s := &Server{log: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))}
	var err error
	if s.config, err = config.Load(options.Config, s.log); err != nil {
		return nil, err
	}
	registry := prometheus.NewRegistry()
	if s.db, err = tsdb.Open(t.TempDir(), s.log, registry, options.storage(), nil); err != nil {
		return nil, err
	}
	t.Cleanup(func() { closed(t, s.db.Close()) })
	s.engine = promql.NewEngine(promql.EngineOpts{
		Logger: s.log, MaxSamples: 50_000_000, Timeout: 2 * time.Minute, LookbackDelta: lookback,
		EnableAtModifier: true, EnableNegativeOffset: true, UseStartTimestamps: options.StartTimes,
		Parser: parser.NewParser(parser.Options{EnableExtendedRangeSelectors: true}),
	})
	t.Cleanup(func() { closed(t, s.engine.Close()) })

	receivers := http.NewServeMux()
	receivers.Handle("POST /api/v1/write", remote.NewWriteHandler(s.log, registry, s.db,
		remoteapi.MessageTypes{remoteapi.WriteV1MessageType, remoteapi.WriteV2MessageType}, false, false, false))
	receivers.Handle("POST /api/v1/otlp/v1/metrics", remote.NewOTLPWriteHandler(s.log, registry, s.db,
		func() config.Config { return *s.config }, remote.OTLPOptions{LookbackDelta: lookback}))
	s.http = httptest.NewServer(receivers)
	t.Cleanup(s.http.Close)
	return s, s.scrape(t, registry)
}

func (o Options) storage() *tsdb.Options {
	storage := tsdb.DefaultOptions()
	if o.StartTimes {
		storage.EnableSTStorage = true
		storage.XOR2EncodingAllowed, storage.FloatChunkEncoding = true, chunkenc.EncXOR2
	}
	return storage
}

// URL is where the server listens, http://host:port.
func (s *Server) URL() string { return s.http.URL }

func closed(t testing.TB, err error) {
	if err != nil {
		t.Error(fmt.Errorf("prometheus: close: %w", err))
	}
}
