//go:build !race

package server

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/prometheus/prometheus/promql"
)

// Vector evaluates an expression at an instant. Its result must be an instant vector.
func (s *Server) Vector(ctx context.Context, at time.Time, expr string) (promql.Vector, error) {
	result, done, err := s.eval(ctx, at, expr)
	if err != nil {
		return nil, err
	}
	defer done()
	vector, err := result.Vector()
	return append(promql.Vector(nil), vector...), err
}

// Scalar evaluates an expression at an instant and returns the value of its
// only series. No series: 0, and false.
func (s *Server) Scalar(ctx context.Context, at time.Time, expr string) (float64, bool, error) {
	vector, err := s.Vector(ctx, at, expr)
	if err != nil {
		return 0, false, err
	}
	switch len(vector) {
	case 0:
		return 0, false, nil
	case 1:
		return vector[0].F, true, nil
	default:
		return 0, false, fmt.Errorf("prometheus: %s: %d series, expected one", expr, len(vector))
	}
}

// Times are the timestamps of the samples that a selector finds in the window
// before an instant, ascending, each once.
func (s *Server) Times(ctx context.Context, at time.Time, selector string, window time.Duration) ([]time.Time, error) {
	result, done, err := s.eval(ctx, at, fmt.Sprintf("%s[%dms]", selector, window.Milliseconds()))
	if err != nil {
		return nil, err
	}
	defer done()
	matrix, err := result.Matrix()
	if err != nil {
		return nil, err
	}
	return times(matrix), nil
}

func (s *Server) eval(ctx context.Context, at time.Time, expr string) (*promql.Result, func(), error) {
	query, err := s.engine.NewInstantQuery(ctx, s.db, nil, expr, at)
	if err != nil {
		return nil, nil, err
	}
	result := query.Exec(ctx)
	if result.Err != nil {
		query.Close()
		return nil, nil, fmt.Errorf("prometheus: %s: %w", expr, result.Err)
	}
	return result, query.Close, nil
}

func times(matrix promql.Matrix) []time.Time {
	seen := map[int64]bool{}
	for _, series := range matrix {
		for _, point := range series.Floats {
			seen[point.T] = true
		}
	}
	var list []time.Time
	for _, t := range slices.Sorted(maps.Keys(seen)) {
		list = append(list, time.UnixMilli(t))
	}
	return list
}
