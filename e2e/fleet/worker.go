// Package fleet starts worker processes, tells them what to count and when to
// push, and makes them die in every way. It knows exactly what each of them has
// pushed with success.
package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"

	"github.com/otelcol-workers/otelcol-workers/e2e/worker"
)

// Worker is a worker process. Its methods may be used by several goroutines;
// commands wait for each other, signals do not.
type Worker struct {
	name    string
	cmd     *exec.Cmd
	stderr  *strings.Builder // to be read when the process has ended
	replies chan worker.Reply
	ended   chan struct{}

	command sync.Mutex // held from a command to its reply
	stdin   io.WriteCloser

	mu      sync.Mutex
	counted worker.Totals
	pushed  worker.Totals
}

// Start starts a worker and waits until its SDK is up. It has pushed nothing
// yet. The caller must end it with Kill or Goodbye.
func Start(ctx context.Context, options Options) (*Worker, error) {
	cmd, err := options.command()
	if err != nil {
		return nil, err
	}
	w := &Worker{
		name: options.Name, cmd: cmd, stderr: &strings.Builder{},
		replies: make(chan worker.Reply), ended: make(chan struct{}),
		counted: worker.Totals{}, pushed: worker.Totals{},
	}
	cmd.Stderr = w.stderr
	if w.stdin, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("worker %s: %w", options.Name, err)
	}
	go w.read(stdout)
	if _, err := w.reply(ctx, worker.OpReady); err != nil {
		return nil, errors.Join(err, w.Kill())
	}
	return w, nil
}

// Name is the name the worker was started with.
func (w *Worker) Name() string { return w.name }

// PID is the worker's process id.
func (w *Worker) PID() int { return w.cmd.Process.Pid }

// Work makes the worker count one job of the queue for each duration, in
// seconds. Nothing is pushed.
func (w *Worker) Work(ctx context.Context, queue string, seconds ...float64) error {
	_, err := w.do(ctx, worker.Command{Op: worker.OpWork, Queue: queue, Seconds: seconds})
	return err
}

// Push makes the worker push, and returns when that has been acknowledged.
// After an error it is not known whether the collector has the push; for
// cumulative workers the next successful push settles it.
func (w *Worker) Push(ctx context.Context) error {
	r, err := w.do(ctx, worker.Command{Op: worker.OpPush})
	if err != nil {
		return err
	}
	w.setPushed(r.Counted)
	return nil
}

// Pushed is what the worker's last successful push held.
func (w *Worker) Pushed() worker.Totals {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.pushed.Clone()
}

// Counted is what the worker had counted when it last answered.
func (w *Worker) Counted() worker.Totals {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.counted.Clone()
}

// Stall stops the process with SIGSTOP: it is blocked, and does not know.
func (w *Worker) Stall() error { return w.cmd.Process.Signal(syscall.SIGSTOP) }

// Resume lets a stalled process go on.
func (w *Worker) Resume() error { return w.cmd.Process.Signal(syscall.SIGCONT) }

// Kill ends the process with SIGKILL and waits. What it has counted since its
// last push is lost. It is no error if it has ended already.
func (w *Worker) Kill() error {
	if err := w.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("worker %s: %w", w.name, err)
	}
	// Nobody may be waiting any more for a reply that is under way.
	for range w.replies {
	}
	<-w.ended
	return nil
}

// Goodbye ends the process with SIGTERM: it pushes what it has counted together
// with its goodbye. Returns when that has been acknowledged and the process has ended.
func (w *Worker) Goodbye(ctx context.Context) error {
	w.command.Lock()
	defer w.command.Unlock()
	if err := w.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("worker %s: %w", w.name, err)
	}
	r, err := w.reply(ctx, worker.OpGoodbye)
	if err != nil {
		return errors.Join(err, w.Kill())
	}
	w.setPushed(r.Counted)
	<-w.ended
	return nil
}

func (w *Worker) setPushed(t worker.Totals) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pushed = t
}

func (w *Worker) do(ctx context.Context, cmd worker.Command) (worker.Reply, error) {
	w.command.Lock()
	defer w.command.Unlock()
	line, err := json.Marshal(cmd)
	if err != nil {
		return worker.Reply{}, err
	}
	if _, err := w.stdin.Write(append(line, '\n')); err != nil {
		return worker.Reply{}, fmt.Errorf("worker %s: %w", w.name, err)
	}
	return w.reply(ctx, cmd.Op)
}

func (w *Worker) reply(ctx context.Context, op worker.Op) (worker.Reply, error) {
	select {
	case r, ok := <-w.replies:
		switch {
		case !ok:
			<-w.ended
			return r, fmt.Errorf("worker %s: ended before it answered %q: %s: %s", w.name, op, w.cmd.ProcessState, w.stderr)
		case r.Error != "":
			return r, fmt.Errorf("worker %s: %s: %s", w.name, op, r.Error)
		case r.Op != op:
			return r, fmt.Errorf("worker %s: answered %q, expected %q", w.name, r.Op, op)
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.counted = r.Counted
		return r, nil
	case <-ctx.Done():
		return worker.Reply{}, fmt.Errorf("worker %s: no answer to %q: %w", w.name, op, ctx.Err())
	}
}

// read hands replies over until the process ends, then waits for it.
func (w *Worker) read(stdout io.Reader) {
	defer close(w.ended)
	defer close(w.replies)
	decoder := json.NewDecoder(stdout)
	for {
		var r worker.Reply
		if err := decoder.Decode(&r); err != nil {
			break
		}
		w.replies <- r
	}
	_ = w.cmd.Wait() // its error is in ProcessState
}
