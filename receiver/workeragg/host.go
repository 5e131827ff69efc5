package workeragg

import (
	"context"
	"maps"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componentstatus"
	"go.opentelemetry.io/collector/config/configmiddleware"
	"go.opentelemetry.io/collector/config/configoptional"
	"go.opentelemetry.io/collector/config/configtls"
	"go.opentelemetry.io/collector/extension/extensionmiddleware"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
	"google.golang.org/grpc"

	"github.com/otelcol-workers/otelcol-workers/receiver/workeragg/internal/metadata"
)

// hookID and doorID are the extensions by which the stock receiver finds our
// hook and door. With their spaces they are no ids that a configuration can hold.
var (
	hookID = component.NewIDWithName(metadata.Type, "hook of the receiver")
	doorID = component.NewIDWithName(metadata.Type, "door of the receiver")
)

// hook is a middleware of ours. The one of hookID runs innermost: behind TLS,
// authentication, CORS and size limits, before the stock receiver's handlers.
// The one of doorID, for gRPC only, is before all of the user's, so that theirs
// have the last word.
type hook struct {
	component.StartFunc
	component.ShutdownFunc
	extensionmiddleware.GetHTTPHandlerFunc
	grpcOptions func(context.Context) ([]grpc.ServerOption, error)
}

func (h *hook) GetGRPCServerOptions(ctx context.Context) ([]grpc.ServerOption, error) {
	return h.grpcOptions(ctx)
}

// hostWithOurs is the collector's host with extensions of ours.
type hostWithOurs struct {
	component.Host
	ours map[component.ID]component.Component
}

func (h *hostWithOurs) GetExtensions() map[component.ID]component.Component {
	users := h.Host.GetExtensions()
	all := make(map[component.ID]component.Component, len(users)+len(h.ours))
	maps.Copy(all, users)
	maps.Copy(all, h.ours)
	return all
}

// Report passes the stock receiver's status on: it looks for this method.
func (h *hostWithOurs) Report(event *componentstatus.Event) {
	componentstatus.ReportStatus(h.Host, event)
}

// hooked is a copy of the stock receiver's configuration that runs our hook.
func hooked(user otlpreceiver.Config) *otlpreceiver.Config {
	if grpcConfig := user.Protocols.GRPC.Get(); grpcConfig != nil {
		grpcConfig.Middlewares = append([]configmiddleware.Config{{ID: doorID}}, withHook(grpcConfig.Middlewares)...)
		// The door has it.
		grpcConfig.TLS = configoptional.None[configtls.ServerConfig]()
	}
	if httpConfig := user.Protocols.HTTP.Get(); httpConfig != nil {
		httpConfig.ServerConfig.Middlewares = withHook(httpConfig.ServerConfig.Middlewares)
	}
	return &user
}

func withHook(users []configmiddleware.Config) []configmiddleware.Config {
	all := make([]configmiddleware.Config, 0, len(users)+1)
	return append(append(all, users...), configmiddleware.Config{ID: hookID})
}
