package whole

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// collector is a running process.
type collector struct {
	cmd    *exec.Cmd
	ports  ports
	output bytes.Buffer
}

// startCollector runs the binary on the variant's configuration and waits until
// it takes connections.
func startCollector(binary, variant, dir string) (*collector, error) {
	c := &collector{}
	var err error
	if c.ports.otlp, err = freePort(); err != nil {
		return nil, err
	}
	if c.ports.telemetry, err = freePort(); err != nil {
		return nil, err
	}
	file := filepath.Join(dir, variant+".yaml")
	if err := os.WriteFile(file, []byte(config(variant, c.ports, filepath.Join(dir, "state"))), 0o600); err != nil {
		return nil, err
	}
	c.cmd = exec.Command(binary, "--config", file)
	c.cmd.Stdout, c.cmd.Stderr = &c.output, &c.output
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", binary, err)
	}
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		conn, err := net.Dial("tcp", c.endpoint())
		if err == nil {
			return c, conn.Close()
		}
	}
	return nil, fmt.Errorf("%s takes no connections after 30s: %w", variant, c.stop())
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

func (c *collector) endpoint() string { return fmt.Sprintf("127.0.0.1:%d", c.ports.otlp) }

// stop ends the process and returns what it had to say if that was more than nothing.
func (c *collector) stop() error {
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	if err := c.cmd.Wait(); err != nil {
		return fmt.Errorf("collector: %w\n%s", err, c.output.String())
	}
	return nil
}

// cpu is the processor time the process has used, to a hundredth of a second.
// https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
func (c *collector) cpu() (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	const user, system = 11, 12 // counted from the field behind the name in brackets
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	var ticks int64
	for _, i := range []int{user, system} {
		n, err := strconv.ParseInt(fields[i], 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * (time.Second / 100), nil
}

// counted adds up a metric that the collector keeps about itself, over all its
// series that have the label.
func (c *collector) counted(metric, label string) (float64, error) {
	rsp, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/metrics", c.ports.telemetry))
	if err != nil {
		return 0, err
	}
	defer rsp.Body.Close()
	sum, found := 0.0, false
	for lines := bufio.NewScanner(rsp.Body); lines.Scan(); {
		name, rest, ok := strings.Cut(lines.Text(), "{")
		if !ok || strings.TrimSuffix(name, "_total") != metric || !strings.Contains(rest, label) {
			continue
		}
		v, err := strconv.ParseFloat(rest[strings.LastIndex(rest, " ")+1:], 64)
		if err != nil {
			return 0, err
		}
		sum, found = sum+v, true
	}
	if !found {
		return 0, fmt.Errorf("the collector has no metric %s with %s", metric, label)
	}
	return sum, nil
}
