package workeragg

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/config/configgrpc"
	"go.opentelemetry.io/collector/config/configoptional"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

func watching(grace time.Duration) rigOption {
	return withConfig(func(c *Config) {
		c.ConnectionLiveness = ConnectionLivenessConfig{Enabled: true, Grace: grace}
	})
}

const collectorEnv = "WORKERAGG_TEST_COLLECTOR"

// TestWorkerProcess is no test: it is the worker that another test starts as a
// process of its own.
func TestWorkerProcess(t *testing.T) {
	collector := os.Getenv(collectorEnv)
	if collector == "" {
		t.Skip("a process that other tests start")
	}
	conn, err := grpc.NewClient(collector, grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	md := counter(labels{"worker.id": "w", "worker.incarnation": strconv.Itoa(os.Getpid())}, at(1), now(), 1)
	_, err = pmetricotlp.NewGRPCClient(conn).Export(context.Background(), pmetricotlp.NewExportRequestFromMetrics(md))
	require.NoError(t, err)
	fmt.Println("pushed")
	_, _ = io.Copy(io.Discard, os.Stdin) // until it is killed, or its parent dies
}

// worker starts a worker process and returns when its push is acknowledged.
func (r *rig) worker() *exec.Cmd {
	r.t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestWorkerProcess$")
	cmd.Env = append(os.Environ(), collectorEnv+"="+r.grpcAddr)
	_, err := cmd.StdinPipe()
	require.NoError(r.t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(r.t, err)
	require.NoError(r.t, cmd.Start())
	r.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(r.t, err)
	require.Equal(r.t, "pushed\n", line)
	return cmd
}

func TestAKilledProcessIsSeenByItsConnection(t *testing.T) {
	r := newRig(t, watching(50*time.Millisecond))
	survivor, victim := r.worker(), r.worker()
	require.Equal(t, 1.0, r.list()[0]["connections"])
	deaths := make(chan told, 10)
	r.metrics.answers(func(md pmetric.Metrics) error {
		for _, s := range signalsIn(t, md) {
			deaths <- s
		}
		return nil
	})
	require.NoError(t, victim.Process.Kill())
	who := map[string]any{"worker.id": "w", "worker.incarnation": strconv.Itoa(victim.Process.Pid)}
	assert.Equal(t, lostSignal(who), <-deaths)

	require.NoError(t, r.stop())
	assert.Empty(t, deaths, "%d is told to go, that is no death", survivor.Process.Pid)
}

func TestTheRealServerClosingForAgeIsNoDeath(t *testing.T) {
	r := newRig(t, watching(0), withConfig(func(c *Config) {
		parameters := configgrpc.NewDefaultKeepaliveServerParameters()
		parameters.MaxConnectionAge = 20 * time.Millisecond
		keepalive := configgrpc.NewDefaultKeepaliveServerConfig()
		keepalive.ServerParameters = configoptional.Some(parameters)
		c.Protocols.GRPC.Get().Keepalive = configoptional.Some(keepalive)
	}))
	r.worker()
	require.Eventually(t, func() bool { return r.list()[0]["connections"] == 0.0 }, time.Minute, time.Millisecond)
	require.NoError(t, r.stop())
	assert.Empty(t, r.told())
	assert.Len(t, r.metrics.AllMetrics(), 1)
}

func TestShutdownWithConnectedWorkersIsNoDeath(t *testing.T) {
	r := newRig(t, watching(0))
	client := pmetricotlp.NewGRPCClient(r.dial())
	_, err := client.Export(grpcContext(nil), pmetricotlp.NewExportRequestFromMetrics(counter(first1, at(1), now(), 1)))
	require.NoError(t, err)
	require.NoError(t, r.stop())
	assert.Empty(t, r.told())
}
