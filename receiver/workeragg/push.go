package workeragg

import "context"

// push is what a request says beside its data, in headers or metadata, and
// what became of it. The hook puts it into the context, the consumers read it.
type push struct {
	workerID    string
	incarnation string
	peer        string
}

type pushKey struct{}

func withPush(ctx context.Context, p *push) context.Context {
	return context.WithValue(ctx, pushKey{}, p)
}

// pushFrom is the push of a request, nil outside of one.
func pushFrom(ctx context.Context) *push {
	p, _ := ctx.Value(pushKey{}).(*push)
	return p
}
