package lifecycle

import (
	"fmt"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// FencedError answers a signal that cannot be applied because of other lives
// of the same identity: a heartbeat of a life that has been replaced, or a
// signal that does not say which of several living lives it means. Nothing has
// been changed. Over gRPC it is FAILED_PRECONDITION, over HTTP 409.
type FencedError struct {
	// Worker names the identity the signal was for.
	Worker string
	// Life names the life the signal spoke of; empty if it named none.
	Life string
	// Living names the lives of the identity that live now.
	Living []string
}

func (e *FencedError) Error() string {
	if e.Life == "" {
		return fmt.Sprintf("worker %q: the signal names no life and several live (%s): name one by process.pid or worker.incarnation",
			e.Worker, strings.Join(e.Living, "; "))
	}
	return fmt.Sprintf("worker %q: life %q has been replaced; living: %s", e.Worker, e.Life, strings.Join(e.Living, "; "))
}

// GRPCStatus makes receivers that look for a gRPC status answer with FAILED_PRECONDITION.
func (e *FencedError) GRPCStatus() *status.Status {
	return status.New(codes.FailedPrecondition, e.Error())
}
