package workeragg

import (
	"context"
	"fmt"
	"net/http"
	"net/textproto"
	"strings"
	"unicode/utf8"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
	"github.com/otelcol-workers/otelcol-workers/receiver/workeragg/internal/registry"
)

// push is what a request says beside its data, in headers or metadata, and
// what became of it. The hook puts it into the context, the consumers read it.
type push struct {
	workerID    string
	incarnation string
	// state is set if saysState.
	state     lifecycle.State
	saysState bool
	// peer is the sender's ip:port if it may name workers.
	peer string
	// conn is the gRPC connection, nil over HTTP.
	conn *registry.Conn

	// consumed is set once the request turned out to have data.
	consumed bool
	// fenced is set if the answer is that another life is meant.
	fenced bool
}

type pushKey struct{}

func withPush(ctx context.Context, p *push) context.Context {
	return context.WithValue(ctx, pushKey{}, p)
}

// pushFrom is the push of a request.
func pushFrom(ctx context.Context) *push {
	if p, ok := ctx.Value(pushKey{}).(*push); ok {
		return p
	}
	return &push{}
}

// maxName bounds ids and incarnations, in bytes: they are kept in memory.
const maxName = 1024

// headerKeys are the three headers in the form in which one protocol holds them.
type headerKeys struct{ id, incarnation, state string }

func keysOf(idHeader string, form func(string) string) headerKeys {
	return headerKeys{id: form(idHeader), incarnation: form(lifecycle.HeaderIncarnation), state: form(lifecycle.HeaderState)}
}

func httpKeys(idHeader string) headerKeys { return keysOf(idHeader, textproto.CanonicalMIMEHeaderKey) }
func grpcKeys(idHeader string) headerKeys { return keysOf(idHeader, strings.ToLower) }

func pushFromHTTP(keys headerKeys, header http.Header) (*push, error) {
	return readPush(keys, func(key string) []string { return header[key] })
}

func pushFromGRPC(ctx context.Context, keys headerKeys) (*push, error) {
	return readPush(keys, func(key string) []string { return metadata.ValueFromIncomingContext(ctx, key) })
}

// readPush reads the headers. Its error is an INVALID_ARGUMENT.
func readPush(keys headerKeys, get func(string) []string) (*push, error) {
	p := &push{}
	var err error
	if keys.id != "" {
		if p.workerID, err = single(keys.id, get); err != nil {
			return nil, err
		}
	}
	if p.incarnation, err = single(keys.incarnation, get); err != nil {
		return nil, err
	}
	state, err := single(keys.state, get)
	if err != nil {
		return nil, err
	}
	if state != "" {
		if p.state, err = lifecycle.ParseState(strings.ToLower(state)); err != nil {
			return nil, badInput("header %s: %v", strings.ToLower(keys.state), err)
		}
		p.saysState = true
	}
	return p, nil
}

// single is the one value of a header, empty if there is none.
func single(key string, get func(string) []string) (string, error) {
	values := get(key)
	if len(values) == 0 {
		return "", nil
	}
	for _, other := range values[1:] {
		if other != values[0] {
			return "", badInput("header %s has %d values, expected one", strings.ToLower(key), len(values))
		}
	}
	value := strings.TrimSpace(values[0])
	if err := validName(value); err != nil {
		return "", badInput("header %s %v", strings.ToLower(key), err)
	}
	return value, nil
}

// validName checks what OTLP can carry (https://protobuf.dev/programming-guides/proto3/#scalar)
// and what is worth keeping.
func validName(name string) error {
	if len(name) > maxName {
		return fmt.Errorf("is %d bytes long, expected at most %d", len(name), maxName)
	}
	if !utf8.ValidString(name) {
		return fmt.Errorf("is %q, expected UTF-8", name)
	}
	return nil
}

// badInput is an error that is the sender's: HTTP 400.
func badInput(format string, args ...any) error {
	return status.Errorf(codes.InvalidArgument, format, args...)
}
