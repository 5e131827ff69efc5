package deadworkerretain

import (
	"errors"

	"go.opentelemetry.io/collector/consumer/consumererror"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/core"
)

// answer is what the sender hears: an error if nothing at all of its request
// could be applied.
func answer(res core.Result) error {
	if res.Err == nil || res.Counts.Applied() {
		return nil
	}
	if fenced, ok := errors.AsType[*lifecycle.FencedError](res.Err); ok {
		return consumererror.NewPermanent(fenced)
	}
	code := codes.InvalidArgument
	if _, ok := errors.AsType[*core.LimitError](res.Err); ok {
		code = codes.ResourceExhausted
	}
	return consumererror.NewPermanent(&refusedError{code: code, err: res.Err})
}

// refusedError gives a refusal the gRPC status that receivers answer with.
// https://opentelemetry.io/docs/specs/otlp/#failures
type refusedError struct {
	code codes.Code
	err  error
}

func (e *refusedError) Error() string { return e.err.Error() }
func (e *refusedError) Unwrap() error { return e.err }

// GRPCStatus is INVALID_ARGUMENT for broken data and RESOURCE_EXHAUSTED for a limit.
func (e *refusedError) GRPCStatus() *status.Status { return status.New(e.code, e.err.Error()) }
