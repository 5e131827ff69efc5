// Package lifecycle is what the receiver and the processor agree on: the
// in-band signal by which a worker, its supervisor or the receiver says that a
// life begins, goes on, goes quiet or has ended, and the errors that answer it.
//
// A signal is an ordinary OTLP gauge point of the metric [MetricName] on a
// resource with the worker's attributes, so it travels with the data through
// any pipeline or tier. Data in the same request is applied before the signal.
package lifecycle

const (
	// MetricName is the metric whose gauge points are signals. Their value is a [State].
	MetricName = "worker.state"
	// ScopeName is the instrumentation scope of signals that this project makes itself.
	ScopeName = "github.com/otelcol-workers/otelcol-workers"

	// AttrReason is the point attribute that says why a state was reached.
	AttrReason = "worker.state.reason"
	// AttrCause is the point attribute with what a supervisor says of a death, such as "SIGKILL".
	AttrCause = "worker.state.cause"
	// AttrWorkerID is the resource attribute that names a worker.
	AttrWorkerID = "worker.id"
	// AttrIncarnation is the resource attribute that tells one life of a worker from its next.
	AttrIncarnation = "worker.incarnation"
	// AttrPID is the resource attribute with the worker's process id (semantic conventions, process).
	AttrPID = "process.pid"
	// AttrCreationTime is the resource attribute with the time the process began (semantic conventions, process).
	AttrCreationTime = "process.creation.time"
	// AttrInstanceID is the resource attribute by which most SDKs name a worker (semantic conventions, service).
	AttrInstanceID = "service.instance.id"

	// HeaderWorkerID is the HTTP header and gRPC metadata key with a worker's id.
	HeaderWorkerID = "x-worker-id"
	// HeaderIncarnation is the one with its incarnation.
	HeaderIncarnation = "x-worker-incarnation"
	// HeaderState is the one with a state's name.
	HeaderState = "x-worker-state"
)
