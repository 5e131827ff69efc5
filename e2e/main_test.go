// Package e2e tests the built collector with real workers that really die.
package e2e

import (
	"os"
	"testing"

	"github.com/otelcol-workers/otelcol-workers/e2e/worker"
)

func TestMain(m *testing.M) {
	worker.RunIfChild()
	os.Exit(m.Run())
}
