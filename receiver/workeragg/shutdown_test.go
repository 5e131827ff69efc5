package workeragg

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
)

// busy is a pipeline that takes until release is closed, and says when it has begun.
func (p *pipeline) busy() (begun, release chan struct{}) {
	begun, release = make(chan struct{}), make(chan struct{})
	p.answers(func(pmetric.Metrics) error {
		close(begun)
		<-release
		return nil
	})
	return begun, release
}

// pushes are the ways to push one point, with the error of a push that failed.
var pushes = map[string]func(*rig) error{
	"gRPC": func(r *rig) error {
		request := pmetricotlp.NewExportRequestFromMetrics(counter(labels{"worker.id": "w"}, at(1), at(2), 1))
		_, err := pmetricotlp.NewGRPCClient(r.dial()).Export(r.t.Context(), request)
		return err
	},
	"HTTP": func(r *rig) error {
		body, err := pmetricotlp.NewExportRequestFromMetrics(counter(labels{"worker.id": "w"}, at(1), at(2), 1)).MarshalJSON()
		if err != nil {
			return err
		}
		transport := &http.Transport{}
		defer transport.CloseIdleConnections()
		client := http.Client{Transport: transport}
		resp, err := client.Post(r.httpURL+"/v1/metrics", asText, strings.NewReader(string(body)))
		if err != nil {
			return err
		}
		return resp.Body.Close()
	},
}

func TestShutdownAnswersWhatIsUnderWay(t *testing.T) {
	for name, push := range pushes {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			begun, release := r.metrics.busy()
			pushed, stopped := make(chan error, 1), make(chan error, 1)
			go func() { pushed <- push(r) }()
			<-begun
			go func() { stopped <- r.stop() }()
			close(release)
			require.NoError(t, <-pushed)
			require.NoError(t, <-stopped)
			assert.Len(t, r.metrics.AllMetrics(), 1)
		})
	}
}

// The pipeline is shut down next: nothing of ours may be in it any more.
func TestShutdownWaitsForThePipeline(t *testing.T) {
	for name, push := range pushes {
		t.Run(name, func(t *testing.T) {
			r := impatient(newRig(t))
			begun, release := r.metrics.busy()
			pushed, stopped := make(chan error, 1), make(chan error, 1)
			go func() { pushed <- push(r) }()
			<-begun
			go func() { stopped <- r.stop() }()
			require.Error(t, <-pushed, "patience is at its end")
			select {
			case err := <-stopped:
				t.Errorf("shut down with a push in the pipeline, %v", err)
			default:
			}
			close(release)
			require.NoError(t, <-stopped)
			assert.Len(t, r.metrics.AllMetrics(), 1, "it came in before")
		})
	}
}
