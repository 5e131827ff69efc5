package workersdk

import (
	"os"
	"time"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
)

// began stands for the birth of the process: the first moment this package knows of.
var began = time.Now()

// Resource describes one worker so that no other, and no earlier life of the
// same one, can be taken for it: the SDK's default resource with
//
//   - service.instance.id: a random UUID;
//   - process.pid and process.creation.time;
//   - worker.incarnation: a random UUID that sorts by time.
//
// Every call describes another worker, so a process that runs several calls it
// once for each. Attributes from OTEL_RESOURCE_ATTRIBUTES and those given here,
// which win over all others, take the place of what is generated: name a worker
// that keeps its name over restarts by worker.id, which must be unique among the
// workers of one service.
func Resource(attributes ...attribute.KeyValue) *resource.Resource {
	all := []attribute.KeyValue{
		semconv.ServiceInstanceID(uuid.NewString()),
		semconv.ProcessPID(os.Getpid()),
		semconv.ProcessCreationTime(began.UTC().Format(time.RFC3339Nano)),
		attribute.String("worker.incarnation", uuid.Must(uuid.NewV7()).String()),
	}
	// Of two attributes with one name the later one stays.
	all = append(all, resource.Default().Attributes()...)
	all = append(all, attributes...)
	return resource.NewWithAttributes(resource.Default().SchemaURL(), all...)
}
