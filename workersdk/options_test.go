package workersdk

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel"
)

func TestIntervalAndTimeout(t *testing.T) {
	const unset = ""
	for _, tc := range []struct {
		name              string
		interval, timeout string // environment
		options           []Option
		wantInterval      time.Duration
		wantTimeout       time.Duration
		wantComplaint     string
	}{
		{"defaults", unset, unset, nil, time.Minute, 30 * time.Second, ""},
		{"environment", "1500", "250", nil, 1500 * time.Millisecond, 250 * time.Millisecond, ""},
		{"options win", "1500", "250", []Option{WithInterval(time.Second), WithTimeout(time.Hour)}, time.Second, time.Hour, ""},
		{"impossible options", unset, unset, []Option{WithInterval(0), WithTimeout(-1)}, time.Minute, 30 * time.Second, ""},
		{"not a number", "10s", unset, nil, time.Minute, 30 * time.Second, `OTEL_METRIC_EXPORT_INTERVAL is "10s"`},
		{"not above 0", unset, "0", nil, time.Minute, 30 * time.Second, `OTEL_METRIC_EXPORT_TIMEOUT is "0"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Setenv("OTEL_METRIC_EXPORT_INTERVAL", tc.interval)
			t.Setenv("OTEL_METRIC_EXPORT_TIMEOUT", tc.timeout)
			var complaint error
			otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { complaint = err }))
			defer otel.SetErrorHandler(otel.ErrorHandlerFunc(func(error) {}))
			c := newConfig(tc.options)
			assert.Equal(t, tc.wantInterval, c.interval)
			assert.Equal(t, tc.wantTimeout, c.timeout)
			if tc.wantComplaint == "" {
				require.NoError(t, complaint)
			} else {
				require.ErrorContains(t, complaint, tc.wantComplaint)
			}
		})
	}
}
