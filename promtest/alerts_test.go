//go:build !race

package promtest

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// promtool runs the cases of config/prometheus/alerts_test.yaml, as a user would.
func TestAlerts(t *testing.T) {
	if testing.Short() {
		t.Skip("builds promtool")
	}
	bin := filepath.Join(t.TempDir(), "promtool")
	// Service discovery is most of Prometheus, and nothing of it is needed.
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-tags=remove_all_sd", "-o", bin, "github.com/prometheus/prometheus/cmd/promtool")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	for _, args := range [][]string{{"check", "rules", "alerts.yaml"}, {"test", "rules", "alerts_test.yaml"}} {
		promtool := exec.CommandContext(t.Context(), bin, args...)
		promtool.Dir = configFile(t, "prometheus")
		out, err := promtool.CombinedOutput()
		assert.NoError(t, err, "%s", out)
		assert.Contains(t, string(out), "SUCCESS")
	}
}

// Each alert has a case in which it fires, and one in which it does not.
func TestAlertsHaveCases(t *testing.T) {
	cases := readConfig(t, "prometheus", "alerts_test.yaml")
	for _, q := range alertQueries(t) {
		name := strings.TrimPrefix(q.where, "alert ")
		silent := bytes.Count(cases, []byte("alertname: "+name+", exp_alerts: []"))
		fires := bytes.Count(cases, []byte("alertname: "+name+"\n"))
		assert.NotZero(t, silent, "%s: no case in which it is silent", name)
		assert.NotZero(t, fires, "%s: no case in which it fires", name)
	}
}
