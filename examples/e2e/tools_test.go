package e2e

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
)

// need skips a test without this program, except where nothing may be skipped.
func need(t *testing.T, program, remedy string) {
	t.Helper()
	if testing.Short() {
		t.Skip("needs the built collector")
	}
	if _, err := exec.LookPath(program); err == nil {
		return
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("needs %s: %s", program, remedy)
	}
	t.Skipf("needs %s: %s", program, remedy)
}

// needNode is need for Node and the packages of the recipes.
func needNode(t *testing.T) {
	t.Helper()
	need(t, "node", "install Node 20 or later")
	need(t, "npm", "install npm")
	harness.Must(t, installed(examples(t)))
}

var once sync.Once
var errInstall error

// installed runs `npm ci` if it has not been run since the lock file changed.
func installed(dir string) error {
	once.Do(func() {
		want, err := os.Stat(dir + "/package-lock.json")
		if err != nil {
			errInstall = err
			return
		}
		// npm writes this file last.
		if have, err := os.Stat(dir + "/node_modules/.package-lock.json"); err == nil && have.ModTime().After(want.ModTime()) {
			return
		}
		npm := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
		npm.Dir = dir
		if out, err := npm.CombinedOutput(); err != nil {
			errInstall = fmt.Errorf("npm ci: %w\n%s", err, out)
		}
	})
	return errInstall
}

// freeAddr is an address of loopback that nobody listens on.
func freeAddr(t *testing.T) (addr, port string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	harness.Must(t, err)
	harness.Must(t, l.Close())
	_, port, err = net.SplitHostPort(l.Addr().String())
	harness.Must(t, err)
	return l.Addr().String(), port
}

// get is one request on a connection of its own, so that it can reach any worker.
func get(ctx context.Context, url string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	r.Close = true
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = errors.New(response.Status)
	}
	return strings.TrimSpace(string(body)), err
}
