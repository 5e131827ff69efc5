//go:build !race

package promtest

import (
	"os"
	"testing"

	"github.com/otelcol-workers/otelcol-workers/e2e/worker"
)

func TestMain(m *testing.M) {
	worker.RunIfChild()
	os.Exit(m.Run())
}
