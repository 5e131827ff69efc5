package workeragg

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/consumer/consumererror"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

var fenced = &lifecycle.FencedError{Worker: "w", Life: "worker.incarnation=1", Living: []string{"worker.incarnation=2"}}

func TestThePipelinesErrorIsTheAnswerToPut(t *testing.T) {
	slow, err := status.New(codes.ResourceExhausted, "slow down").WithDetails(&errdetails.RetryInfo{RetryDelay: durationpb.New(2500 * time.Millisecond)})
	require.NoError(t, err)
	for name, test := range map[string]struct {
		err        error
		code       int
		retryAfter string
		body       string
	}{
		"retryable":                      {errors.New("memory is short"), 503, "1", `{"error": "memory is short"}`},
		"told to wait":                   {slow.Err(), 429, "3", `{"error": "slow down"}`},
		"canceled":                       {context.Canceled, 503, "1", `{"error": "context canceled"}`},
		"bad point":                      {status.Error(codes.InvalidArgument, "worker.state is 7"), 400, "", `{"error": "worker.state is 7"}`},
		"permanent":                      {consumererror.NewPermanent(errors.New("broken")), 500, "", `{"error": "Permanent error: broken"}`},
		"replaced":                       {fenced, 409, "", `{"error": "worker \"w\": life \"worker.incarnation=1\" has been replaced; living: worker.incarnation=2", "living": ["worker.incarnation=2"]}`},
		"replaced, told by a later tier": {status.Error(codes.FailedPrecondition, "replaced"), 409, "", `{"error": "replaced"}`},
		"wrapped": {consumererror.NewPermanent(fmt.Errorf("refused: %w", fenced)), 409, "",
			`{"error": "worker \"w\": life \"worker.incarnation=1\" has been replaced; living: worker.incarnation=2", "living": ["worker.incarnation=2"]}`},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.metrics.refuses(test.err)
			got := r.put("w", `{"state": "running", "incarnation": "1"}`)
			assert.Equal(t, test.code, got.code)
			assert.Equal(t, test.retryAfter, got.header.Get("Retry-After"))
			assert.Equal(t, asText, got.header.Get("Content-Type"))
			assert.JSONEq(t, test.body, got.body)
			assert.Empty(t, r.list(), "nothing is remembered of what was refused")
		})
	}
}

func TestARefusedGoodbyeMayBeRepeated(t *testing.T) {
	r := newRig(t)
	goodbye := labels{"x-worker-id": "w", "x-worker-state": "terminated"}
	song := func() pmetric.Metrics { return counter(nil, at(1), at(2), 1) }
	for name, send := range transports(r) {
		r.metrics.refuses(errors.New("not now"))
		assert.Equal(t, 503, send(song(), goodbye), name)
		assert.Equal(t, "running", r.list()[0]["state"], name)
		r.metrics.refuses(nil)
		assert.Equal(t, 200, send(song(), goodbye), name)
		assert.Equal(t, "terminated", r.list()[0]["state"], name)
		r.receiver.registry.Clear()
	}
}

func TestTheAnswerComesAfterThePipelineHasApplied(t *testing.T) {
	r := newRig(t)
	for name, send := range transports(r) {
		for what, md := range map[string]pmetric.Metrics{"data": counter(nil, at(1), at(2), 1), "no data": pmetric.NewMetrics()} {
			entered, leave, answered := make(chan struct{}), make(chan struct{}), make(chan int, 1)
			r.metrics.answers(func(pmetric.Metrics) error {
				close(entered)
				<-leave
				return nil
			})
			go func() { answered <- send(md, labels{"x-worker-id": "w", "x-worker-state": "terminated"}) }()
			<-entered
			select {
			case <-answered:
				t.Errorf("%s, %s: answered while the pipeline was at work", name, what)
			default:
			}
			close(leave)
			assert.Equal(t, 200, <-answered, name)
		}
	}
}

// A zombie learns of its successor, over either protocol and whatever it pushes.
func TestAReplacedLifeIsToldSo(t *testing.T) {
	r := newRig(t)
	r.metrics.refuses(fenced)
	headers := labels{"x-worker-id": "w", "x-worker-incarnation": "1", "x-worker-state": "running"}
	for name, send := range transports(r) {
		assert.Equal(t, 409, send(counter(nil, at(1), at(2), 1), headers), name)
		assert.Equal(t, 409, send(pmetric.NewMetrics(), headers), name)
		assert.Equal(t, 409, send(counter(nil, at(1), at(2), 1), nil), "%s: it spoke in band", name)
	}
	got := r.postTraces(oneSpan(nil), asText, headers)
	assert.Equal(t, 409, got.code)
	assert.JSONEq(t, `{"code": 9, "message": "worker \"w\": life \"worker.incarnation=1\" has been replaced; living: worker.incarnation=2"}`, got.body)

	got = r.postTraces(oneSpan(nil), asBinary, headers)
	assert.Equal(t, asBinary, got.header.Get("Content-Type"))
	assert.Contains(t, got.body, "has been replaced")

	_, err := pmetricotlp.NewGRPCClient(r.dial()).Export(grpcContext(headers), pmetricotlp.NewExportRequest())
	assert.Equal(t, codes.FailedPrecondition, status.Code(err))
	assert.ErrorContains(t, err, "living: worker.incarnation=2")
}

func TestAHeartbeatByTracesDoesNotCostTheTraces(t *testing.T) {
	r := newRig(t)
	r.metrics.refuses(fenced)
	assert.Equal(t, 200, r.postTraces(oneSpan(nil), asBinary, labels{"x-worker-id": "w"}).code)
	_, err := ptraceotlp.NewGRPCClient(r.dial()).Export(grpcContext(labels{"x-worker-id": "v"}), ptraceotlp.NewExportRequestFromTraces(oneSpan(nil)))
	require.NoError(t, err)
	assert.Equal(t, 2, r.traces.SpanCount())
}

func TestASignalAfterRefusedTracesIsNotSent(t *testing.T) {
	r := newRig(t)
	r.receiver.nextTraces = refusing{errors.New("not now")}
	got := r.postTraces(oneSpan(nil), asBinary, labels{"x-worker-id": "w", "x-worker-state": "terminated"})
	assert.Equal(t, 503, got.code)
	assert.Empty(t, r.told(), "data first, then the signal")
}

func TestWithoutAMetricsPipelineSignalsHaveNowhereToGo(t *testing.T) {
	r := newRig(t, withoutMetrics())
	got := r.put("w", `{"state": "terminated"}`)
	assert.Equal(t, 501, got.code)
	assert.JSONEq(t, `{"error": "there is no metrics pipeline behind this receiver: signals have nowhere to go"}`, got.body)

	headers := labels{"x-worker-id": "w", "x-worker-state": "terminated"}
	got = r.postTraces(oneSpan(nil), asText, headers)
	assert.Equal(t, 501, got.code)
	assert.Contains(t, got.body, "no metrics pipeline")
	_, err := ptraceotlp.NewGRPCClient(r.dial()).Export(grpcContext(headers), ptraceotlp.NewExportRequestFromTraces(oneSpan(nil)))
	assert.Equal(t, codes.Unimplemented, status.Code(err))
	assert.Zero(t, r.traces.SpanCount(), "refused before its data is taken in")

	assert.Equal(t, 200, r.postTraces(oneSpan(nil), asBinary, labels{"x-worker-id": "w"}).code)
	assert.Equal(t, 200, r.postTo("/v1/logs", ptraceotlp.NewExportRequest(), asBinary, labels{"x-worker-id": "w"}).code)
	assert.Len(t, r.list(), 1)
	assert.Equal(t, 404, r.post(counter(nil, at(1), at(2), 1), asBinary, nil).code, "as the stock receiver has it")
}
