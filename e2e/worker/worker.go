// Package worker is a process with an OpenTelemetry SDK: it counts jobs and
// pushes them over OTLP, as its parent tells it on standard input.
package worker

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"go.opentelemetry.io/otel/sdk/metric"
)

// RunIfChild makes this process a worker, and never returns, if it was started
// as one (see [Env]). Call it first in main or TestMain.
func RunIfChild() {
	settings, ok := os.LookupEnv(Env)
	if !ok {
		return
	}
	if err := run(context.Background(), settings); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func run(ctx context.Context, settings string) error {
	var s Settings
	if err := json.Unmarshal([]byte(settings), &s); err != nil {
		return fmt.Errorf("worker: %s: %w", Env, err)
	}
	terminate := make(chan os.Signal, 1)
	signal.Notify(terminate, syscall.SIGTERM)

	provider, err := newProvider(ctx, s)
	if err != nil {
		return err
	}
	jobs, err := newJobs(provider)
	if err != nil {
		return err
	}
	if s.Life != "" {
		jobs.live(ctx, s.Life)
	}

	w := &process{jobs: jobs, provider: provider, out: json.NewEncoder(os.Stdout)}
	if err := w.reply(OpReady, nil); err != nil {
		return err
	}
	commands := make(chan Command)
	broken := make(chan error, 1)
	go func() { broken <- readCommands(os.Stdin, commands) }()

	var heartbeat <-chan time.Time
	if s.Heartbeat > 0 {
		heartbeat = time.Tick(s.Heartbeat)
	}
	for {
		select {
		case <-terminate:
			return w.goodbye(ctx)
		case cmd := <-commands:
			if err := w.do(ctx, cmd); err != nil {
				return err
			}
		case <-heartbeat:
			if !w.unpushed {
				_ = provider.ForceFlush(ctx) // the next one says the same
			}
		case err := <-broken:
			return err
		}
	}
}

type process struct {
	jobs     *jobs
	provider *metric.MeterProvider
	out      *json.Encoder
	unpushed bool
}

func (w *process) do(ctx context.Context, cmd Command) error {
	switch cmd.Op {
	case OpWork:
		w.unpushed = true
		w.jobs.work(ctx, cmd.Queue, cmd.Seconds)
		return w.reply(cmd.Op, nil)
	case OpPush:
		err := w.provider.ForceFlush(ctx)
		w.unpushed = err != nil
		return w.reply(cmd.Op, err)
	default:
		return fmt.Errorf("worker: command %q is unknown, expected %s or %s", cmd.Op, OpWork, OpPush)
	}
}

// goodbye is what a worker of any language can do: set one gauge, then shut
// the SDK down, which pushes it with what was counted last.
func (w *process) goodbye(ctx context.Context) error {
	w.jobs.terminated(ctx)
	err := w.provider.Shutdown(ctx)
	if replyErr := w.reply(OpGoodbye, err); replyErr != nil {
		return replyErr
	}
	return err
}

func (w *process) reply(op Op, err error) error {
	r := Reply{Op: op, Counted: w.jobs.counted}
	if err != nil {
		r.Error = err.Error()
	}
	return w.out.Encode(r)
}

func readCommands(r io.Reader, commands chan<- Command) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var cmd Command
		if err := json.Unmarshal(lines.Bytes(), &cmd); err != nil {
			return fmt.Errorf("worker: command %q: %w", lines.Text(), err)
		}
		commands <- cmd
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return io.ErrUnexpectedEOF
}
