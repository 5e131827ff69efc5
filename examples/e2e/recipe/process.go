// Package recipe runs the recipes as a user would: as processes, whose output is
// read line by line, and which are killed in every way.
package recipe

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
)

// Process is a recipe that runs, with all that it has started. Its methods are
// for one goroutine.
type Process struct {
	t     testing.TB
	cmd   *exec.Cmd
	stdin io.WriteCloser
	ended chan struct{}

	mu    sync.Mutex
	lines []string // standard output
	both  []string // with standard error
}

// Command says what to run.
type Command struct {
	// Dir is the working directory.
	Dir string
	// Env is added to the environment of the test.
	Env []string
	// Args are the program and its arguments.
	Args []string
}

// Start runs a command until the end of the test, when it is killed with all its children.
func Start(t testing.TB, c Command) *Process {
	t.Helper()
	p := &Process{t: t, cmd: exec.Command(c.Args[0], c.Args[1:]...), ended: make(chan struct{})}
	p.cmd.Dir = c.Dir
	p.cmd.Env = append(os.Environ(), c.Env...)
	// A group of its own, so that nothing that it starts can outlive the test.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdout, err := p.cmd.StdoutPipe()
	harness.Must(t, err)
	stderr, err := p.cmd.StderrPipe()
	harness.Must(t, err)
	p.stdin, err = p.cmd.StdinPipe()
	harness.Must(t, err)
	harness.Must(t, p.cmd.Start())
	go func() {
		defer close(p.ended)
		var readers sync.WaitGroup
		readers.Go(func() { p.read(stdout, true) })
		readers.Go(func() { p.read(stderr, false) })
		readers.Wait()
		_ = p.cmd.Wait() // its error is in ProcessState
	}()
	t.Cleanup(func() {
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) // its error: all have ended
		<-p.ended
		if t.Failed() {
			t.Logf("%s wrote:\n%s", strings.Join(c.Args, " "), strings.Join(p.both, "\n"))
		}
	})
	return p
}

func (p *Process) read(r io.Reader, stdout bool) {
	scanner := bufio.NewScanner(r)
	for scanner.Scan() {
		p.mu.Lock()
		if stdout {
			p.lines = append(p.lines, scanner.Text())
		}
		p.both = append(p.both, scanner.Text())
		p.mu.Unlock()
	}
}

// PID is the process id.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Say writes a line to the process's standard input.
func (p *Process) Say(line string) {
	p.t.Helper()
	_, err := io.WriteString(p.stdin, line+"\n")
	harness.Must(p.t, err)
}

// CloseInput ends the process's standard input.
func (p *Process) CloseInput() {
	p.t.Helper()
	harness.Must(p.t, p.stdin.Close())
}

// Lines are the lines of standard output so far.
func (p *Process) Lines() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.lines)
}

// Await waits for a line of standard output that holds all these texts, and returns it.
func (p *Process) Await(texts ...string) string {
	p.t.Helper()
	return p.AwaitAfter(0, texts...)
}

// AwaitAfter is Await without the first lines.
func (p *Process) AwaitAfter(first int, texts ...string) string {
	p.t.Helper()
	return p.await(first, 1, texts)
}

// AwaitN is Await for the n-th of such lines.
func (p *Process) AwaitN(n int, texts ...string) string {
	p.t.Helper()
	return p.await(0, n, texts)
}

func (p *Process) await(first, n int, texts []string) string {
	p.t.Helper()
	var found []string
	harness.Eventually(p.t, func(context.Context) error {
		found = slices.DeleteFunc(p.Lines()[first:], func(line string) bool { return !containsAll(line, texts) })
		if len(found) < n {
			return fmt.Errorf("%d lines with %q, expected %d", len(found), texts, n)
		}
		return nil
	})
	return found[n-1]
}

func containsAll(line string, texts []string) bool {
	for _, text := range texts {
		if !strings.Contains(line, text) {
			return false
		}
	}
	return true
}

// Signal sends a signal to the process alone.
func (p *Process) Signal(sig syscall.Signal) {
	p.t.Helper()
	harness.Must(p.t, p.cmd.Process.Signal(sig))
}

// Wait waits until the process has ended, and returns its exit status; -1 after a signal.
func (p *Process) Wait() int {
	p.t.Helper()
	harness.Eventually(p.t, func(context.Context) error {
		select {
		case <-p.ended:
			return nil
		default:
			return errors.New("the process still runs")
		}
	})
	return p.cmd.ProcessState.ExitCode()
}
