package ledger

import (
	"context"

	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

var plaintext = grpc.WithTransportCredentials(insecure.NewCredentials())

type grpcExport struct {
	pmetricotlp.UnimplementedGRPCServer
	ledger *Ledger
}

func (g *grpcExport) Export(ctx context.Context, push pmetricotlp.ExportRequest) (pmetricotlp.ExportResponse, error) {
	if g.ledger.away.Load() {
		g.ledger.books.refuse()
		return pmetricotlp.NewExportResponse(), status.Error(codes.Unavailable, "away")
	}
	headers, _ := metadata.FromIncomingContext(ctx)
	ctx = metadata.NewOutgoingContext(context.WithoutCancel(ctx), headers)
	response, err := g.ledger.upstream.grpc.Export(ctx, push)
	if err != nil {
		g.ledger.books.refuse()
		return response, err
	}
	state := headers.Get("x-worker-state")
	g.ledger.books.enter(push, len(state) == 1 && state[0] == "terminated")
	return response, nil
}
