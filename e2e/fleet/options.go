package fleet

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/otelcol-workers/otelcol-workers/e2e/worker"
)

// Options say which worker to start. The program is the running one, which must
// call [worker.RunIfChild] first.
type Options struct {
	// Name is for error messages.
	Name string
	// GRPC or HTTP is the address (host:port) to push to.
	GRPC, HTTP string
	// Service is the service.name.
	Service string
	// Resource holds further resource attributes.
	Resource map[string]string
	// Headers go with every push, as HTTP headers or gRPC metadata.
	Headers map[string]string
	// Delta makes counters and histograms delta instead of cumulative.
	Delta bool
	worker.Settings
}

func (o *Options) command() (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	settings, err := json.Marshal(o.Settings)
	if err != nil {
		return nil, err
	}
	protocol, endpoint := "grpc", o.GRPC
	if o.HTTP != "" {
		protocol, endpoint = "http/protobuf", o.HTTP
	}
	temporality := "cumulative"
	if o.Delta {
		temporality = "delta"
	}
	resource := maps.Clone(o.Resource)
	if resource == nil {
		resource = map[string]string{}
	}
	resource["service.name"] = o.Service

	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(),
		worker.Env+"="+string(settings),
		"OTEL_EXPORTER_OTLP_PROTOCOL="+protocol,
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://"+endpoint,
		"OTEL_EXPORTER_OTLP_HEADERS="+pairs(o.Headers),
		"OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE="+temporality,
		"OTEL_RESOURCE_ATTRIBUTES="+pairs(resource),
	)
	if (o.GRPC == "") == (o.HTTP == "") {
		return nil, fmt.Errorf("worker %s: expected exactly one of GRPC and HTTP", o.Name)
	}
	return cmd, nil
}

func pairs(m map[string]string) string {
	var list []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		list = append(list, k+"="+m[k])
	}
	return strings.Join(list, ",")
}
