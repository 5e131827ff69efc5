// Package sink stands in for backends: it takes what the collector sends them
// and tells the latest value of each series.
package sink

import (
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// Series is a series of a backend with its latest value.
type Series struct {
	Name   string
	Labels map[string]string
	Value  float64
}

// Sink is a backend. Its methods may be called by any goroutine.
type Sink struct {
	// URL is where it listens, without a path.
	URL string

	mu       sync.Mutex
	series   map[string]Series
	refusing int
	refused  int
	failure  error
}

// read takes the series out of a request's body.
type read func(body []byte) ([]Series, error)

// start serves a sink until the end of the test, which fails if anything that
// was sent could not be read.
func start(t testing.TB, path string, read read) *Sink {
	t.Helper()
	s := &Sink{series: map[string]Series{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) {
		if s.refuses() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		if err := s.take(r, read); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusOK)
	})
	server := httptest.NewServer(mux)
	s.URL = server.URL
	t.Cleanup(func() {
		server.Close()
		if s.failure != nil {
			t.Error(s.failure)
		}
	})
	return s
}

// Refuse answers the next n requests with 503.
func (s *Sink) Refuse(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusing = n
}

// Refused is the number of requests that were answered with 503.
func (s *Sink) Refused() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refused
}

// All returns the series of this name.
func (s *Sink) All(name string) []Series {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []Series
	for _, series := range s.series {
		if series.Name == name {
			found = append(found, series)
		}
	}
	return found
}

func (s *Sink) refuses() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refusing == 0 {
		return false
	}
	s.refusing--
	s.refused++
	return true
}

func (s *Sink) take(r *http.Request, read read) error {
	body, err := decompressed(r)
	var series []Series
	if err == nil {
		series, err = read(body)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.failure = fmt.Errorf("sink: %s: %w", r.URL.Path, err)
		return err
	}
	for _, one := range series {
		// fmt prints maps in the order of their keys.
		s.series[fmt.Sprint(one.Name, one.Labels)] = one
	}
	return nil
}

func decompressed(r *http.Request) ([]byte, error) {
	if r.Header.Get("Content-Encoding") != "gzip" {
		return io.ReadAll(r.Body)
	}
	z, err := gzip.NewReader(r.Body)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

func joined(one, other map[string]string) map[string]string {
	both := maps.Clone(one)
	maps.Copy(both, other)
	return both
}
