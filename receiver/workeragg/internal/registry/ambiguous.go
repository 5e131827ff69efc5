package registry

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// AmbiguousError answers a signal whose name is that of several workers, such
// as a container's id. Nothing has been changed.
type AmbiguousError struct {
	// Name is the name that the signal gave.
	Name string
	// Workers are the ids of those that answer to it.
	Workers []string
}

const namedAtMost = 10

func (e *AmbiguousError) Error() string {
	shown, more := e.Workers, ""
	if len(shown) > namedAtMost {
		more = fmt.Sprintf(" and %d more", len(shown)-namedAtMost)
		shown = shown[:namedAtMost]
	}
	return fmt.Sprintf("%d workers answer to %q (%s%s): name one by its own id, or give its resource, process.pid or worker.incarnation",
		len(e.Workers), e.Name, strings.Join(shown, ", "), more)
}

// GRPCStatus makes receivers that look for a gRPC status answer with FAILED_PRECONDITION.
func (e *AmbiguousError) GRPCStatus() *status.Status {
	return status.New(codes.FailedPrecondition, e.Error())
}

func ambiguous(name string, found []*Worker) *AmbiguousError {
	e := &AmbiguousError{Name: name}
	for _, w := range found {
		e.Workers = append(e.Workers, w.describe())
	}
	slices.Sort(e.Workers)
	e.Workers = slices.Compact(e.Workers)
	return e
}

// describe is the id and, since workers of two services may share it, the service.
func (w *Worker) describe() string {
	if service := text(w.resource.Attributes(), "service.name"); service != "" {
		return fmt.Sprintf("%q of %q", w.id, service)
	}
	return fmt.Sprintf("%q", w.id)
}
