package workeragg

import (
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/plog/plogotlp"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
)

func resourceOf(md pmetric.Metrics) map[string]any {
	return md.ResourceMetrics().At(0).Resource().Attributes().AsRaw()
}

func TestHeaderNamesTheWorkerOfAResourceThatNamesNone(t *testing.T) {
	for name, test := range map[string]struct{ resource, want labels }{
		"nameless":               {labels{"service.name": "web"}, labels{"service.name": "web", "worker.id": "w1", "worker.incarnation": "3"}},
		"named":                  {labels{"worker.id": "own"}, labels{"worker.id": "own"}},
		"named alike":            {labels{"worker.id": "w1"}, labels{"worker.id": "w1", "worker.incarnation": "3"}},
		"instance":               {labels{"service.instance.id": "i"}, labels{"service.instance.id": "i", "worker.incarnation": "3"}},
		"other candidate":        {labels{"k8s.pod.uid": "p"}, labels{"k8s.pod.uid": "p", "worker.id": "w1", "worker.incarnation": "3"}},
		"incarnation of its own": {labels{"worker.id": "own", "worker.incarnation": "1"}, labels{"worker.id": "own", "worker.incarnation": "1"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			headers := labels{"x-worker-id": "w1", "x-worker-incarnation": "3"}
			require.Equal(t, 200, r.post(counter(test.resource, at(100), at(110), 3), asBinary, headers).code)
			require.Equal(t, 200, r.post(counter(test.resource, at(100), at(120), 4), asText, headers).code)
			_, err := pmetricotlp.NewGRPCClient(r.dial()).Export(grpcContext(headers),
				pmetricotlp.NewExportRequestFromMetrics(counter(test.resource, at(100), at(130), 5)))
			require.NoError(t, err)

			got := r.metrics.AllMetrics()
			require.Len(t, got, 3)
			for _, md := range got {
				attrs := labels{}
				for k, v := range resourceOf(md) {
					attrs[k] = v.(string)
				}
				assert.Equal(t, test.want, attrs)
			}
		})
	}
}

func TestHeaderNamesTheWorkerOfTracesAndLogs(t *testing.T) {
	r := newRig(t)
	headers := labels{"x-worker-id": "w1"}
	require.Equal(t, 200, r.postTraces(oneSpan(nil), asBinary, headers).code)
	require.Equal(t, 200, r.postLogs(oneLog(nil), asText, headers).code)
	conn := r.dial()
	_, err := ptraceotlp.NewGRPCClient(conn).Export(grpcContext(headers), ptraceotlp.NewExportRequestFromTraces(oneSpan(nil)))
	require.NoError(t, err)
	_, err = plogotlp.NewGRPCClient(conn).Export(grpcContext(headers), plogotlp.NewExportRequestFromLogs(oneLog(nil)))
	require.NoError(t, err)

	want := map[string]any{"worker.id": "w1"}
	require.Len(t, r.traces.AllTraces(), 2)
	for _, td := range r.traces.AllTraces() {
		assert.Equal(t, want, td.ResourceSpans().At(0).Resource().Attributes().AsRaw())
	}
	require.Len(t, r.logsSink.AllLogs(), 2)
	for _, ld := range r.logsSink.AllLogs() {
		assert.Equal(t, want, ld.ResourceLogs().At(0).Resource().Attributes().AsRaw())
	}
}

func TestConfiguredHeaderReplacesTheDefaultOne(t *testing.T) {
	r := newRig(t, withConfig(func(c *Config) { c.Identity.Header = "X-Slot" }))
	r.post(counter(nil, at(1), at(2), 1), asBinary, labels{"x-slot": "7", "x-worker-id": "w1"})
	require.Len(t, r.metrics.AllMetrics(), 1)
	assert.Equal(t, map[string]any{"worker.id": "7"}, resourceOf(r.metrics.AllMetrics()[0]))
}

func TestPeerAddressIsTheLastResortAndOnlyIfAskedFor(t *testing.T) {
	r := newRig(t)
	r.post(counter(labels{"service.name": "web"}, at(1), at(2), 1), asBinary, nil)
	assert.Equal(t, map[string]any{"service.name": "web"}, resourceOf(r.metrics.AllMetrics()[0]))

	r = newRig(t, withConfig(func(c *Config) { c.Identity.PeerAddress = true }))
	r.post(counter(nil, at(1), at(2), 1), asBinary, nil)
	r.post(counter(nil, at(1), at(2), 1), asBinary, labels{"x-worker-id": "w1"})
	r.post(counter(labels{"container.id": "c"}, at(1), at(2), 1), asBinary, nil)
	_, err := pmetricotlp.NewGRPCClient(r.dial()).Export(grpcContext(nil),
		pmetricotlp.NewExportRequestFromMetrics(counter(nil, at(1), at(2), 1)))
	require.NoError(t, err)

	got := r.metrics.AllMetrics()
	require.Len(t, got, 4)
	for _, i := range []int{0, 3} {
		host, port, err := net.SplitHostPort(resourceOf(got[i])["worker.id"].(string))
		require.NoError(t, err)
		assert.Equal(t, "127.0.0.1", host)
		assert.NotEmpty(t, port)
	}
	assert.Equal(t, map[string]any{"worker.id": "w1"}, resourceOf(got[1]))
	assert.Equal(t, map[string]any{"container.id": "c"}, resourceOf(got[2]), "named already, if by the third candidate")
}

func TestPeersOfAUnixSocketHaveNoName(t *testing.T) {
	for address, want := range map[string]string{"127.0.0.1:5": "127.0.0.1:5", "[::1]:5": "[::1]:5", "@": "", "": "", "/run/otel.sock": ""} {
		assert.Equal(t, want, peerName(address), address)
	}
}
