package exposition

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const text = `# TYPE jobs_done_total counter
jobs_done_total{job="shop",queue="mail"} 12
jobs_done_total{job="shop",queue="web"} 3.5
# TYPE jobs_active gauge
jobs_active{job="shop"} 2
# TYPE job_duration_seconds histogram
job_duration_seconds_bucket{job="shop",le="0.5"} 1
job_duration_seconds_bucket{job="shop",le="+Inf"} 4
job_duration_seconds_sum{job="shop"} 7.25
job_duration_seconds_count{job="shop"} 4
`

func TestParse(t *testing.T) {
	s, err := Parse(strings.NewReader(text))
	require.NoError(t, err)

	kinds := map[string]bool{}
	for key, sample := range s {
		kinds[key] = sample.Monotonic
	}
	assert.Equal(t, map[string]bool{
		`jobs_done_total{job="shop",queue="mail"}`:          true,
		`jobs_done_total{job="shop",queue="web"}`:           true,
		`jobs_active{job="shop"}`:                           false,
		`job_duration_seconds_bucket{job="shop",le="0.5"}`:  true,
		`job_duration_seconds_bucket{job="shop",le="+Inf"}`: true,
		`job_duration_seconds_sum{job="shop"}`:              true,
		`job_duration_seconds_count{job="shop"}`:            true,
	}, kinds)

	assert.Equal(t, 15.5, s.Sum("jobs_done_total", map[string]string{"job": "shop"}))
	assert.Zero(t, s.Sum("jobs_done_total", map[string]string{"job": "other"}))

	v, err := s.One("job_duration_seconds_bucket", map[string]string{"le": "+Inf"})
	require.NoError(t, err)
	assert.Equal(t, 4.0, v)
	_, err = s.One("jobs_done_total", nil)
	assert.ErrorContains(t, err, `2 samples match jobs_done_total, expected one: jobs_done_total{job="shop",queue="mail"} jobs_done_total{job="shop",queue="web"}`)
}

func TestFetch(t *testing.T) {
	status := http.StatusOK
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(text))
	}))
	defer srv.Close()

	s, err := Fetch(context.Background(), srv.URL)
	require.NoError(t, err)
	assert.Len(t, s, 7)

	status = http.StatusTeapot
	_, err = Fetch(context.Background(), srv.URL)
	assert.ErrorContains(t, err, "418")
}
