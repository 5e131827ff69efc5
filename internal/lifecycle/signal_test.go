package lifecycle

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

func TestASignalSurvivesItsPoint(t *testing.T) {
	for _, s := range []Signal{
		{State: Running, Time: 7},
		{State: Quiet, Reason: "draining", Time: 8},
		{State: Terminated, Reason: ReasonReported, Cause: "SIGKILL", Time: 9},
	} {
		rm := pmetric.NewResourceMetrics()
		s.AppendTo(rm)
		m := rm.ScopeMetrics().At(0).Metrics().At(0)
		require.True(t, IsSignal(m))
		got, err := Read(m.Gauge().DataPoints().At(0))
		require.NoError(t, err)
		assert.Equal(t, s, got)
	}
}
