package collector

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

const (
	ready        = "Everything is ready. Begin running and processing data."
	addressInUse = "address already in use"
)

// Collector is a collector process. Its methods are for one goroutine; Addr and
// Logs may be used by any.
type Collector struct {
	options Options
	addrs   addresses
	logs    *Logs
	args    []string

	process *os.Process
	exited  chan struct{}
	state   *os.ProcessState
}

// Start starts a collector and waits until it is ready. The error holds the end
// of its logs. The caller must Stop or Kill it.
func Start(ctx context.Context, options Options) (*Collector, error) {
	if err := options.validate(); err != nil {
		return nil, err
	}
	if err := options.resolve(); err != nil {
		return nil, err
	}
	// Somebody else may take a port between the choice and the start.
	for attempt := 1; ; attempt++ {
		c := &Collector{options: options, addrs: addresses{}, logs: &Logs{}}
		if err := c.prepare(); err != nil {
			return nil, err
		}
		err := c.Restart(ctx)
		if err == nil {
			return c, nil
		}
		if attempt == 5 || !c.logs.Contains(addressInUse) {
			return nil, err
		}
	}
}

func (c *Collector) prepare() error {
	file := c.options.ConfigFile
	if file == "" {
		text, err := c.addrs.expand(c.options.Config, c.options.Dir)
		if err != nil {
			return err
		}
		file = filepath.Join(c.options.Dir, "config.yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
	}
	c.args = append([]string{"--config=" + file}, c.options.Args...)
	for _, set := range c.options.Set {
		text, err := c.addrs.expand(set, c.options.Dir)
		if err != nil {
			return err
		}
		c.args = append(c.args, "--set="+text)
	}
	return nil
}

// Restart starts the collector again, on the same addresses, configuration and
// directory, and waits until it is ready. It must not be running.
func (c *Collector) Restart(ctx context.Context) error {
	offset := c.logs.len()
	if err := c.launch(); err != nil {
		return err
	}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !c.logs.containsAfter(offset, ready) {
		select {
		case <-c.exited:
			return fmt.Errorf("collector: ended before it was ready: %s\n%s", c.state, c.logs.Tail(30))
		case <-ctx.Done():
			return errors.Join(
				fmt.Errorf("collector: not ready: %w\n%s", ctx.Err(), c.logs.Tail(30)),
				c.Kill(),
			)
		case <-tick.C:
		}
	}
	return nil
}

func (c *Collector) launch() error {
	cmd := exec.Command(c.options.Binary, c.args...)
	cmd.Dir = c.options.Dir
	cmd.Env = append(os.Environ(), c.options.Env...)
	cmd.Stdout, cmd.Stderr = c.logs, c.logs
	exited := make(chan struct{})
	if err := startWithParent(cmd, func() {
		c.state = cmd.ProcessState
		close(exited)
	}); err != nil {
		return err
	}
	c.process, c.exited = cmd.Process, exited
	return nil
}

// Addr is the address that {{addr name}} stands for.
func (c *Collector) Addr(name string) string { return c.addrs[name] }

// Dir is the collector's working directory.
func (c *Collector) Dir() string { return c.options.Dir }

// Logs is what the collector has written since its first start.
func (c *Collector) Logs() *Logs { return c.logs }

// PID is the process id of the latest start.
func (c *Collector) PID() int { return c.process.Pid }

// Exited is closed when the process of the latest start has ended.
func (c *Collector) Exited() <-chan struct{} { return c.exited }

// Signal sends a signal to the collector, such as SIGHUP.
func (c *Collector) Signal(sig os.Signal) error { return c.process.Signal(sig) }

// Stop ends the collector with SIGTERM and waits. The error says so if it did
// not end with exit status 0, or not before the context was done; then it is killed.
func (c *Collector) Stop(ctx context.Context) error {
	if err := c.process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-c.exited:
	case <-ctx.Done():
		return errors.Join(
			fmt.Errorf("collector: did not stop: %w\n%s", ctx.Err(), c.logs.Tail(30)),
			c.Kill(),
		)
	}
	if !c.state.Success() {
		return fmt.Errorf("collector: %s\n%s", c.state, c.logs.Tail(30))
	}
	return nil
}

// Kill ends the collector with SIGKILL and waits. It is no error if it has ended already.
func (c *Collector) Kill() error {
	if err := c.process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-c.exited
	return nil
}
