package workeragg

import (
	"fmt"
	"strings"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// validHeader checks that a name works both as an HTTP header and as a gRPC
// metadata key, which allows fewer characters and reserves some names
// (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md).
func validHeader(name string) error {
	const allowed = `expected a name of letters, digits, "-", "_" and "." that does not begin with "grpc-" or end with "-bin", or "" for none`
	lower := strings.ToLower(name)
	for _, c := range lower {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' && c != '.' {
			return fmt.Errorf("identity::header is %q, %s", name, allowed)
		}
	}
	if strings.HasPrefix(lower, "grpc-") || strings.HasSuffix(lower, "-bin") {
		return fmt.Errorf("identity::header is %q, %s", name, allowed)
	}
	switch lower {
	case lifecycle.HeaderIncarnation, lifecycle.HeaderState, "content-type", "user-agent", "te", "host", "authorization":
		return fmt.Errorf("identity::header is %q, which has a meaning of its own; %s", name, allowed)
	}
	return nil
}
