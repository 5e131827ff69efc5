package e2e

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
)

// site is a web server of several workers, each of which counts its requests and
// answers with its process id.
type site struct {
	t    *testing.T
	url  string
	pid  func(answer string) (int, error)
	sent int64 // requests answered, so: counted
}

// request makes one request and returns the process that answered.
func (s *site) request(ctx context.Context) (int, error) {
	answer, err := get(ctx, s.url)
	if err != nil {
		return 0, err
	}
	s.sent++
	return s.pid(answer)
}

// requests makes n requests. All must succeed.
func (s *site) requests(n int) {
	s.t.Helper()
	ctx := harness.Context(s.t)
	for range n {
		_, err := s.request(ctx)
		harness.Must(s.t, err)
	}
}

// meet makes requests until n workers have answered that are none of these, and
// returns their process ids.
func (s *site) meet(n int, others ...int) []int {
	s.t.Helper()
	met := map[int]bool{}
	harness.Eventually(s.t, func(ctx context.Context) error {
		for range 2 * n {
			pid, err := s.request(ctx)
			if err != nil {
				return err
			}
			if !slices.Contains(others, pid) {
				met[pid] = true
			}
		}
		if len(met) < n {
			return fmt.Errorf("met %d workers, expected %d", len(met), n)
		}
		return nil
	})
	return slices.Sorted(maps.Keys(met))
}

func plainPID(answer string) (int, error) { return strconv.Atoi(answer) }
