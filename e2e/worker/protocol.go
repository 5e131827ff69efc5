package worker

import "time"

// Env is the environment variable that holds a worker's [Settings] as JSON. A
// process that has it is a worker. Resource, protocol, endpoint, headers and
// temporality come from the variables that OpenTelemetry defines (OTEL_*).
const Env = "OTELCOL_WORKERS_TEST_WORKER"

// Settings are what the OTEL_* variables have no word for.
type Settings struct {
	// Detect adds host.name and process.pid to the resource, as SDK detectors do.
	Detect bool
	// Also is a second endpoint, for the same metrics: http://host:port of OTLP/gRPC.
	Also string
	// Heartbeat is the time between pushes by the worker's own accord. It holds
	// them back while it has counted something that it was not yet told to push,
	// so that its parent always knows what its last push held. 0: none.
	Heartbeat time.Duration
	// Life names this life of a worker. It makes it show that it lives: 1 in the
	// up-down counter workers.active, and 1 in the gauge worker.busy, under its
	// name. Empty: neither.
	Life string
}

// Command is one line on a worker's standard input. Its end is the end of the
// worker, without goodbye.
type Command struct {
	Op Op
	// Queue and Seconds are the jobs of OpWork: one for each duration.
	Queue   string    `json:",omitempty"`
	Seconds []float64 `json:",omitempty"`
}

// Op says what a Command asks for and a Reply answers.
type Op string

const (
	// OpReady is the first reply, without a command.
	OpReady Op = "ready"
	// OpWork counts jobs, and pushes nothing.
	OpWork Op = "work"
	// OpPush pushes; the reply comes when the collector has acknowledged it.
	OpPush Op = "push"
	// OpGoodbye is the last reply, after SIGTERM: the worker has pushed what it
	// had counted together with its goodbye, and ends.
	OpGoodbye Op = "goodbye"
)

// Reply is one line on a worker's standard output.
type Reply struct {
	Op Op
	// Counted is all that the worker has counted. After a push or goodbye
	// without error it is what the collector has acknowledged.
	Counted Totals
	// Error is empty on success.
	Error string `json:",omitempty"`
}

// Queues are the values of the workers' only point attribute, queue.
var Queues = []string{"mail", "web"}
