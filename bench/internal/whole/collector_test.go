package whole

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/confmap"
)

func TestCountedAddsUpTheSeriesThatHaveTheLabel(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "# TYPE points counter")
		fmt.Fprintln(w, `points_total{outcome="accepted",x="1"} 5`)
		fmt.Fprintln(w, `points_total{outcome="accepted",x="2"} 1.5e+06`)
		fmt.Fprintln(w, `points_total{outcome="late"} 7`)
		fmt.Fprintln(w, `points_more{outcome="accepted"} 9`)
	}))
	defer srv.Close()
	u, err := url.Parse(srv.URL)
	require.NoError(t, err)
	port, err := strconv.Atoi(u.Port())
	require.NoError(t, err)
	c := &collector{ports: ports{telemetry: port}}
	got, err := c.counted("points", `outcome="accepted"`)
	require.NoError(t, err)
	assert.Equal(t, 1_500_005.0, got)
	_, err = c.counted("points", `outcome="none"`)
	assert.ErrorContains(t, err, `no metric points with outcome="none"`)
}

func TestCPUGrowsWithWork(t *testing.T) {
	self, err := os.FindProcess(os.Getpid())
	require.NoError(t, err)
	c := &collector{cmd: &exec.Cmd{Process: self}}
	before, err := c.cpu()
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		for end := time.Now().Add(20 * time.Millisecond); time.Now().Before(end); {
			_ = time.Since(end)
		}
		after, err := c.cpu()
		return assert.NoError(t, err) && after > before
	}, 10*time.Second, time.Millisecond)
}

func TestVariantsDifferInReceiverProcessorAndStorageOnly(t *testing.T) {
	for variant, want := range map[string][2]string{
		"stock": {"otlp", "[]"}, "ours": {"workeragg", "[deadworkerretain]"}, "ours-on-disk": {"workeragg", "[deadworkerretain]"},
	} {
		parsed, err := confmap.NewRetrievedFromYAML([]byte(config(variant, ports{1, 2}, "/state")))
		require.NoError(t, err)
		conf, err := parsed.AsConf()
		require.NoError(t, err)
		assert.Equal(t, []any{want[0]}, conf.Get("service::pipelines::metrics::receivers"))
		assert.Len(t, conf.Get("service::pipelines::metrics::processors"), map[string]int{"[]": 0, "[deadworkerretain]": 1}[want[1]])
		if variant == "ours-on-disk" {
			assert.Equal(t, "file_storage", conf.Get("processors::deadworkerretain::storage"))
		} else {
			assert.Nil(t, conf.Get("processors::deadworkerretain::storage"))
		}
	}
}
