package workeragg

import (
	"io"
	"mime"
	"net/http"

	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"

	"github.com/otelcol-workers/otelcol-workers/receiver/workeragg/internal/nesting"
)

// scannedBody is the body of a push that is read up to where it is nested too deep.
type scannedBody struct {
	io.ReadCloser
	scanner nesting.Scanner
}

func (b *scannedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if deep := b.scanner.Scan(p[:n]); deep != nil {
		return 0, badInput("%v", deep)
	}
	return n, err
}

// scanned makes the stock handler fail to read a body that is nested too deep.
func scanned(req *http.Request) {
	if req.ContentLength >= 0 && req.ContentLength < nesting.Small {
		return
	}
	var scanner nesting.Scanner = &nesting.Protobuf{}
	if media, _, _ := mime.ParseMediaType(req.Header.Get(contentType)); media == "application/json" {
		scanner = &nesting.JSON{}
	}
	req.Body = &scannedBody{req.Body, scanner}
}

// scanningCodec refuses a gRPC message that is nested too deep before it is
// decoded, which is before any interceptor sees it.
type scanningCodec struct{ encoding.CodecV2 }

// newScanningCodec scans for the codec that gRPC would use.
func newScanningCodec() scanningCodec {
	return scanningCodec{encoding.GetCodecV2(proto.Name)}
}

func (c scanningCodec) Unmarshal(data mem.BufferSlice, v any) error {
	if data.Len() >= nesting.Small {
		var scanner nesting.Protobuf
		for _, piece := range data {
			if err := scanner.Scan(piece.ReadOnlyData()); err != nil {
				return err
			}
		}
	}
	return c.CodecV2.Unmarshal(data, v)
}
