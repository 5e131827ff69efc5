package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
	"github.com/otelcol-workers/otelcol-workers/examples/e2e/ledger"
)

// lives waits until this many lives live.
func (r *rig) lives(want int) {
	r.t.Helper()
	harness.Eventually(r.t, func(ctx context.Context) error {
		got := 0
		for _, state := range []string{"running", "quiet"} {
			n, err := r.self(ctx, "otelcol_deadworkerretain_lives", map[string]string{"state": state})
			if err != nil {
				return err
			}
			got += n
		}
		if got != want {
			return fmt.Errorf("%d lives live, expected %d", got, want)
		}
		return nil
	})
}

// state is what the receiver says of a life; empty if it does not know it.
func (r *rig) state(life ledger.Life) string {
	r.t.Helper()
	body, err := get(harness.Context(r.t), "http://"+r.collector.Addr("http")+"/v1/workers")
	require.NoError(r.t, err)
	var list struct {
		Workers []struct{ ID, State, Incarnation string }
	}
	require.NoError(r.t, json.Unmarshal([]byte(body), &list))
	for _, w := range list.Workers {
		if w.ID == life.ID && w.Incarnation == life.Incarnation {
			return w.State
		}
	}
	return ""
}

// goodbyeOf says goodbye in the name of a life, as it would itself. That it is
// dead already is confirmed.
func (r *rig) goodbyeOf(life ledger.Life) {
	r.t.Helper()
	code, answer := r.put(life, "terminated", "goodbye")
	require.Equal(r.t, http.StatusOK, code, answer)
}

// put tells the collector the state of a life, and returns its answer.
func (r *rig) put(life ledger.Life, state, reason string) (int, string) {
	r.t.Helper()
	body, err := json.Marshal(map[string]any{"state": state, "reason": reason, "incarnation": life.Incarnation})
	require.NoError(r.t, err)
	request, err := http.NewRequestWithContext(harness.Context(r.t), http.MethodPut,
		"http://"+r.collector.Addr("http")+"/v1/workers/"+url.PathEscape(life.ID), bytes.NewReader(body))
	require.NoError(r.t, err)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	require.NoError(r.t, err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	require.NoError(r.t, err)
	return response.StatusCode, string(answer)
}
