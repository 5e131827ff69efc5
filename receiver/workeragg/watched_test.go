package workeragg

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"google.golang.org/grpc/stats"

	"github.com/otelcol-workers/otelcol-workers/receiver/workeragg/internal/metadatatest"
)

// watched is a receiver without ports, under a fake clock, to which
// connections are told instead of made.
type watched struct {
	*rig
	watch *connectionWatch
}

const grace = 10 * time.Second

// underFakeClock plays a story with connection liveness on.
func underFakeClock(t *testing.T, change func(*Config), story func(*watched)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		cfg := ephemeral()
		cfg.ConnectionLiveness = ConnectionLivenessConfig{Enabled: true, Grace: grace}
		if change != nil {
			change(cfg)
		}
		telemetry := componenttest.NewTelemetry()
		r, err := newReceiver(cfg, metadatatest.NewSettings(telemetry), func() {})
		require.NoError(t, err)
		w := &watched{rig: &rig{t: t, receiver: r, telemetry: telemetry, metrics: &pipeline{}}}
		w.watch = &connectionWatch{closed: r.disconnected}
		require.NoError(t, r.attachMetrics(context.Background(), w.metrics))
		r.startBackground()
		story(w)
		require.NoError(t, r.Shutdown(context.Background()))
		require.NoError(t, telemetry.Shutdown(context.Background()))
	})
}

func (w *watched) connect() context.Context {
	ctx := w.watch.TagConn(context.Background(), &stats.ConnTagInfo{})
	w.watch.HandleConn(ctx, &stats.ConnBegin{})
	return ctx
}

func (w *watched) disconnect(ctx context.Context) { w.watch.HandleConn(ctx, &stats.ConnEnd{}) }

func now() pcommon.Timestamp { return pcommon.NewTimestampFromTime(time.Now()) }

// push sends a counter over a gRPC connection.
func (w *watched) push(conn context.Context, resource labels) {
	w.t.Helper()
	c := connectionFrom(conn)
	c.used.Store(time.Now().UnixNano())
	w.pushAs(conn, &push{conn: &c.Conn}, resource)
}

func (w *watched) pushOverHTTP(resource labels) {
	w.t.Helper()
	w.pushAs(context.Background(), &push{}, resource)
}

func (w *watched) pushAs(ctx context.Context, p *push, resource labels) {
	w.t.Helper()
	require.NoError(w.t, w.receiver.consumeMetrics(withPush(ctx, p), counter(resource, at(1), now(), 1)))
}

// after lets time pass and the receiver do what is due.
func after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}
