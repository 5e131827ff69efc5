package workeragg

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/config/configgrpc"
	"go.opentelemetry.io/collector/config/configoptional"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

func lostSignal(resource map[string]any) told {
	return told{resource, lifecycle.Terminated, "connection_lost", ""}
}

var (
	first1 = labels{"worker.id": "a", "worker.incarnation": "1"}
	life1  = map[string]any{"worker.id": "a", "worker.incarnation": "1"}
	first2 = labels{"worker.id": "a", "worker.incarnation": "2"}
	other  = labels{"worker.id": "b"}
	otherB = map[string]any{"worker.id": "b"}
)

func TestALostConnectionIsADeathAfterTheGracePeriod(t *testing.T) {
	underFakeClock(t, nil, func(w *watched) {
		conn := w.connect()
		w.push(conn, first1)
		after(time.Hour / 2)
		assert.Empty(t, w.told(), "silence is none")
		w.disconnect(conn)
		after(grace - 1)
		assert.Empty(t, w.told())
		after(1)
		assert.Equal(t, []told{lostSignal(life1)}, w.told())
		listed := w.receiver.registry.List()
		assert.Equal(t, lifecycle.Terminated, listed[0].State)
		assert.Equal(t, "connection", listed[0].Source)

		after(time.Minute)
		w.push(w.connect(), first1)
		assert.Equal(t, lifecycle.Running, w.receiver.registry.List()[0].State, "it was a guess")
	})
}

func TestWhoComesBackWithinTheGracePeriodLives(t *testing.T) {
	for name, comeBack := range map[string]func(*watched){
		"over gRPC": func(w *watched) { w.push(w.connect(), first1) },
		"over HTTP": func(w *watched) { w.pushOverHTTP(first1) },
	} {
		t.Run(name, func(t *testing.T) {
			underFakeClock(t, nil, func(w *watched) {
				conn := w.connect()
				w.push(conn, first1)
				w.disconnect(conn)
				after(grace - 1)
				comeBack(w)
				after(time.Minute)
				assert.Empty(t, w.told())
			})
		})
	}
}

func TestEachLossIsWaitedForOnItsOwn(t *testing.T) {
	underFakeClock(t, nil, func(w *watched) {
		a, b := w.connect(), w.connect()
		w.push(a, first1)
		w.push(b, other)
		w.disconnect(a)
		after(grace / 2)
		w.disconnect(b)
		again := w.connect()
		w.push(again, first1)
		w.disconnect(again)
		after(grace - 1)
		assert.Empty(t, w.told(), "the first loss of a was undone by its return")
		after(1)
		assert.ElementsMatch(t, []told{lostSignal(life1), lostSignal(otherB)}, w.told())
	})
}

func TestSeveralConnectionsOfOneWorkerAndSeveralWorkersOfOneConnection(t *testing.T) {
	underFakeClock(t, nil, func(w *watched) {
		shared, metrics, traces := w.connect(), w.connect(), w.connect()
		w.push(metrics, first1)
		w.push(traces, first1)
		w.push(shared, first1)
		w.push(shared, other)
		w.disconnect(shared)
		w.disconnect(metrics)
		after(time.Minute)
		assert.Equal(t, []told{lostSignal(otherB)}, w.told(), "a still has a connection")
		w.disconnect(traces)
		after(grace)
		assert.Equal(t, []told{lostSignal(otherB), lostSignal(life1)}, w.told())
	})
}

func TestTheSuccessorDoesNotKeepTheDeadAlive(t *testing.T) {
	underFakeClock(t, nil, func(w *watched) {
		conn := w.connect()
		w.push(conn, first1)
		w.disconnect(conn)
		w.push(w.connect(), first2)
		after(grace)
		assert.Equal(t, []told{lostSignal(life1)}, w.told())
		listed := w.receiver.registry.List()
		assert.Equal(t, lifecycle.Terminated, listed[0].State)
		assert.Equal(t, lifecycle.Running, listed[1].State, "the death of the old life changes nothing of the new one")
	})
}

func TestWhoSaidGoodbyeDoesNotDieAgain(t *testing.T) {
	underFakeClock(t, nil, func(w *watched) {
		conn := w.connect()
		p := &push{conn: &connectionFrom(conn).Conn, workerID: "a", saysState: true, state: lifecycle.Terminated}
		require.NoError(t, w.receiver.consumeMetrics(withPush(conn, p), counter(first1, at(1), now(), 1)))
		w.disconnect(conn)
		after(time.Minute)
		assert.Equal(t, []told{{life1, lifecycle.Terminated, "goodbye", ""}}, w.told())
	})
}

func TestAConnectionThatTheServerClosedIsNoDeath(t *testing.T) {
	limit := func(set func(*configgrpc.KeepaliveServerParameters)) func(*Config) {
		return func(c *Config) {
			parameters := configgrpc.NewDefaultKeepaliveServerParameters()
			set(&parameters)
			keepalive := configgrpc.NewDefaultKeepaliveServerConfig()
			keepalive.ServerParameters = configoptional.Some(parameters)
			c.Protocols.GRPC.Get().Keepalive = configoptional.Some(keepalive)
		}
	}
	age := limit(func(p *configgrpc.KeepaliveServerParameters) { p.MaxConnectionAge = 10 * time.Minute })
	idle := limit(func(p *configgrpc.KeepaliveServerParameters) { p.MaxConnectionIdle = 3 * time.Minute })
	for name, test := range map[string]struct {
		change       func(*Config)
		before, idle time.Duration
		dies         bool
	}{
		"young":               {age, 8 * time.Minute, 59 * time.Second, true},
		"a tenth before age":  {age, 9 * time.Minute, 0, false},
		"a tenth after age":   {age, 10 * time.Minute, time.Minute, false},
		"used until lately":   {idle, 10 * time.Minute, 3*time.Minute - 1, true},
		"idle":                {idle, 10 * time.Minute, 3 * time.Minute, false},
		"nothing is limited":  {nil, 24 * time.Hour, time.Hour, true},
		"limits are infinite": {limit(func(*configgrpc.KeepaliveServerParameters) {}), time.Minute, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			underFakeClock(t, test.change, func(w *watched) {
				conn := w.connect()
				after(test.before)
				w.push(conn, first1)
				after(test.idle)
				w.disconnect(conn)
				after(time.Minute)
				assert.Equal(t, test.dies, len(w.told()) == 1)
			})
		})
	}
}

func TestARefusedDeathIsSignalledAgain(t *testing.T) {
	underFakeClock(t, nil, func(w *watched) {
		conn := w.connect()
		w.push(conn, first1)
		w.metrics.refuses(errors.New("memory is short"))
		w.disconnect(conn)
		after(grace)
		assert.Equal(t, lifecycle.Running, w.receiver.registry.List()[0].State)
		w.metrics.refuses(nil)
		after(grace)
		assert.Equal(t, []told{lostSignal(life1)}, w.told())
	})
}

func TestADeathThatIsFencedIsNotSignalledAgain(t *testing.T) {
	underFakeClock(t, nil, func(w *watched) {
		conn := w.connect()
		w.push(conn, first1)
		w.metrics.refuses(fenced)
		w.disconnect(conn)
		after(grace)
		w.metrics.refuses(nil)
		after(time.Hour / 2)
		assert.Empty(t, w.told())
	})
}

func TestShutdownCallsOffTheSearch(t *testing.T) {
	underFakeClock(t, nil, func(w *watched) {
		early, late := w.connect(), w.connect()
		w.push(early, first1)
		w.push(late, other)
		w.disconnect(early)
		require.NoError(t, w.receiver.Shutdown(context.Background()))
		w.disconnect(late)
		after(time.Hour)
		assert.Empty(t, w.told())
	})
}

func TestLivenessIsOffUnlessAskedFor(t *testing.T) {
	underFakeClock(t, func(c *Config) { c.ConnectionLiveness.Enabled = false }, func(w *watched) {
		conn := w.connect()
		w.push(conn, first1)
		w.disconnect(conn)
		after(time.Minute)
		assert.Empty(t, w.told())
		assert.Empty(t, w.receiver.liveness.waiting)
	})
}

func TestSilentWorkersAreForgottenInTime(t *testing.T) {
	underFakeClock(t, func(c *Config) { c.ForgetAfter = 10 * time.Minute }, func(w *watched) {
		held := w.connect()
		w.push(held, other)
		w.pushOverHTTP(first1)
		after(9 * time.Minute)
		assert.Equal(t, 2, w.receiver.registry.Len())
		after(2 * time.Minute)
		assert.Equal(t, 1, w.receiver.registry.Len(), "who is connected stays")
		w.disconnect(held)
		after(time.Hour)
		assert.Zero(t, w.receiver.registry.Len())
	})
}

// Traces are heartbeats, but not more often than the pipeline has use for.
func TestHeartbeatsOfTracesAreRationedByTime(t *testing.T) {
	underFakeClock(t, nil, func(w *watched) {
		p := &push{workerID: "a"}
		w.receiver.nextTraces = refusing{}
		for range 20 {
			require.NoError(t, w.receiver.consumeTraces(withPush(context.Background(), p), oneSpan(nil)))
			after(time.Second)
		}
		assert.Len(t, w.told(), 4)
	})
}
