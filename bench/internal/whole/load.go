package whole

import (
	"context"
	"fmt"
	"sync"

	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/mem"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
)

// sender is one connection and the encoded pushes it has to send.
type sender struct {
	conn   *grpc.ClientConn
	pushes [][]byte
}

// encode makes the pushes of a fleet in advance, so that sending them takes
// little from the collector on the same machine.
func encode(f *payload.Fleet, pushes int) ([][]byte, error) {
	out := make([][]byte, pushes)
	for i := range out {
		b, err := new(pmetric.ProtoMarshaler).MarshalMetrics(f.Next())
		if err != nil {
			return nil, err
		}
		out[i] = b
	}
	return out, nil
}

func dial(endpoint string) (*grpc.ClientConn, error) {
	return grpc.NewClient(endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(bytesCodec{}), grpc.WaitForReady(true)))
}

// send sends the pushes from the first to before the last, all connections at
// once, each one push after the other.
func send(senders []*sender, first, last int) error {
	errs := make(chan error, len(senders))
	var wg sync.WaitGroup
	for _, s := range senders {
		wg.Go(func() { errs <- s.send(s.pushes[first:last]) })
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *sender) send(pushes [][]byte) error {
	for _, p := range pushes {
		var reply []byte
		err := s.conn.Invoke(context.Background(), "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export", p, &reply)
		if err != nil {
			return err
		}
		rsp := pmetricotlp.NewExportResponse()
		if err := rsp.UnmarshalProto(reply); err != nil {
			return err
		}
		if n := rsp.PartialSuccess().RejectedDataPoints(); n > 0 {
			return fmt.Errorf("%d points rejected: %s", n, rsp.PartialSuccess().ErrorMessage())
		}
	}
	return nil
}

// bytesCodec passes messages that are encoded already.
type bytesCodec struct{}

func (bytesCodec) Name() string { return "proto" }

func (bytesCodec) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(v.([]byte))}, nil
}

func (bytesCodec) Unmarshal(data mem.BufferSlice, v any) error {
	*v.(*[]byte) = data.Materialize()
	return nil
}
