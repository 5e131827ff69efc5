package workeragg

import (
	"mime"
	"net/http"
	"strconv"

	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// heldAnswer keeps an HTTP answer back, so that it can still become another one.
type heldAnswer struct {
	http.ResponseWriter
	contentType string
	code        int
	body        []byte
}

func (h *heldAnswer) WriteHeader(code int) { h.code = code }

func (h *heldAnswer) Write(body []byte) (int, error) {
	if h.code == 0 {
		h.code = http.StatusOK
	}
	h.body = append(h.body, body...)
	return len(body), nil
}

// replace makes it an error in the encoding of the request, as OTLP asks for
// (https://opentelemetry.io/docs/specs/otlp/#failures-1).
func (h *heldAnswer) replace(err error) {
	s := statusOf(err)
	h.code = httpCode(s)
	if after := retryAfter(s); after > 0 {
		h.Header().Set("Retry-After", strconv.Itoa(after))
	}
	h.body = h.encode(s)
}

func (h *heldAnswer) encode(s *status.Status) []byte {
	media, _, _ := mime.ParseMediaType(h.contentType)
	marshal := protojson.Marshal
	if media == "application/x-protobuf" {
		marshal = proto.Marshal
	} else {
		media = "application/json"
	}
	h.Header().Set("Content-Type", media)
	body, err := marshal(s.Proto())
	if err != nil {
		h.code = http.StatusInternalServerError
	}
	return body
}

func (h *heldAnswer) release() {
	if h.code != 0 {
		h.ResponseWriter.WriteHeader(h.code)
	}
	// Whoever hung up does not miss the answer.
	_, _ = h.ResponseWriter.Write(h.body)
}
