package workeragg

import (
	"errors"
	"net/http"
	"time"

	"go.opentelemetry.io/collector/consumer/consumererror"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
	"github.com/otelcol-workers/otelcol-workers/receiver/workeragg/internal/registry"
)

// statusError is an error that knows how gRPC should answer with it.
type statusError interface {
	error
	GRPCStatus() *status.Status
}

// statusOf is a pipeline's error as the stock receiver reads it: with no status
// of its own it may be retried unless it is permanent. What wraps a status is
// left out: that an error is permanent says the status.
func statusOf(err error) *status.Status {
	if own, ok := errors.AsType[statusError](err); ok {
		if s := own.GRPCStatus(); s.Code() != codes.OK {
			return s
		}
	}
	if consumererror.IsPermanent(err) {
		return status.New(codes.Internal, err.Error())
	}
	return status.New(codes.Unavailable, err.Error())
}

func httpCode(s *status.Status) int {
	switch s.Code() {
	case codes.Canceled, codes.DeadlineExceeded, codes.Aborted, codes.OutOfRange, codes.Unavailable, codes.DataLoss:
		return http.StatusServiceUnavailable
	case codes.ResourceExhausted:
		return http.StatusTooManyRequests
	case codes.InvalidArgument:
		return http.StatusBadRequest
	case codes.FailedPrecondition:
		return http.StatusConflict
	case codes.Unauthenticated:
		return http.StatusUnauthorized
	case codes.PermissionDenied:
		return http.StatusForbidden
	case codes.Unimplemented:
		return http.StatusNotImplemented
	default:
		return http.StatusInternalServerError
	}
}

// retryable reports whether the same signal may be accepted later.
func retryable(s *status.Status) bool {
	code := httpCode(s)
	return code == http.StatusServiceUnavailable || code == http.StatusTooManyRequests
}

// retryAfter is the seconds after which to repeat a request, 0 for never. What
// the pipeline says of it counts.
func retryAfter(s *status.Status) int {
	if !retryable(s) {
		return 0
	}
	for _, detail := range s.Details() {
		if info, ok := detail.(*errdetails.RetryInfo); ok {
			return max(1, int((info.GetRetryDelay().AsDuration()+time.Second-1)/time.Second))
		}
	}
	return 1
}

// isFenced reports whether an error says that the signal meant another life
// than the one that lives, or did not say which.
// A tier behind another collector says so by its status alone.
func isFenced(err error) bool {
	_, fenced := errors.AsType[*lifecycle.FencedError](err)
	_, ambiguous := errors.AsType[*registry.AmbiguousError](err)
	return fenced || ambiguous || status.Code(err) == codes.FailedPrecondition
}
