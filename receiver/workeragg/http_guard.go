package workeragg

import (
	"context"
	"mime"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/extension/extensionauth"

	"github.com/otelcol-workers/otelcol-workers/receiver/workeragg/internal/metadata"
)

// guardID is the extension that stands before the user's HTTP authenticator.
var guardID = component.NewIDWithName(metadata.Type, "guard of the receiver")

// httpGuard is the user's authenticator. When it refuses a request whose
// content type is none of OTLP's, such as a PUT by curl, it makes it one: the
// stock receiver would otherwise hide the 401 behind a 500, since it answers in
// the encoding of the request.
type httpGuard struct {
	component.StartFunc
	component.ShutdownFunc
	user extensionauth.Server
	// asked is called for every request, also for those that are refused.
	asked func(context.Context)
}

const contentType = "Content-Type"

func (g *httpGuard) Authenticate(ctx context.Context, headers map[string][]string) (context.Context, error) {
	g.asked(ctx)
	authenticated, err := g.user.Authenticate(ctx, headers)
	if err != nil && !isOTLP(headers[contentType]) {
		headers[contentType] = []string{"application/json"}
	}
	return authenticated, err
}

func isOTLP(contentTypes []string) bool {
	if len(contentTypes) == 0 {
		return false
	}
	media, _, err := mime.ParseMediaType(contentTypes[0])
	return err == nil && (media == "application/json" || media == "application/x-protobuf")
}

// guardHTTP puts the guard before the authenticator of the HTTP server, if
// there is one. What is wrong with it is for the stock receiver to say.
func (r *workerReceiver) guardHTTP(extensions map[component.ID]component.Component) {
	httpConfig := r.stockCfg.Protocols.HTTP.Get()
	if httpConfig == nil || !httpConfig.ServerConfig.Auth.HasValue() {
		return
	}
	auth := httpConfig.ServerConfig.Auth.Get()
	if user, ok := extensions[auth.Config.AuthenticatorID].(extensionauth.Server); ok {
		r.extensions[guardID] = &httpGuard{user: user, asked: r.meetServer}
		auth.Config.AuthenticatorID = guardID
	}
}
