package workeragg

import (
	"encoding/json"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

func (r *rig) put(id, body string) answer {
	r.t.Helper()
	return r.call("PUT", "/v1/workers/"+url.PathEscape(id), body, labels{"Content-Type": asText})
}

func (r *rig) list() []map[string]any {
	r.t.Helper()
	got := r.call("GET", "/v1/workers", "", nil)
	require.Equal(r.t, 200, got.code)
	require.Equal(r.t, asText, got.header.Get("Content-Type"))
	var list struct{ Workers []map[string]any }
	require.NoError(r.t, json.Unmarshal([]byte(got.body), &list))
	require.NotNil(r.t, list.Workers, "empty is [], not null")
	return list.Workers
}

func TestPutReachesTheLastResourceOfAKnownWorker(t *testing.T) {
	r := newRig(t)
	r.post(counter(labels{"worker.id": "w/1", "service.name": "web", "container.id": "c", "process.pid": "7"}, at(1), at(2), 1), asBinary, nil)
	got := r.put("w/1", `{"state": "quiet"}`)
	assert.Equal(t, 200, got.code)
	assert.JSONEq(t, `{"worker": "w/1", "state": "quiet", "known": true}`, got.body)
	got = r.put("c", `{"state": "terminated", "pid": 7, "reason": "SIGKILL"}`)
	assert.Equal(t, 200, got.code, "by another candidate's value")
	assert.Equal(t, []told{
		{map[string]any{"worker.id": "w/1", "service.name": "web", "container.id": "c"}, lifecycle.Quiet, "", ""},
		{map[string]any{"worker.id": "w/1", "service.name": "web", "container.id": "c", "process.pid": int64(7)}, lifecycle.Terminated, "reported", "SIGKILL"},
	}, r.told())
}

func TestPutOfAnUnknownWorkerIsPassedOnWithWhatItCarries(t *testing.T) {
	r := newRig(t)
	got := r.put("w", `{"state": "terminated", "incarnation": "3", "pid": 42,
		"resource": {"service.name": "web", "n": 1, "f": 1.5, "ok": true, "list": [1, "a"], "map": {"k": 2}}}`)
	assert.Equal(t, 202, got.code)
	assert.JSONEq(t, `{"worker": "w", "state": "terminated", "known": false}`, got.body)
	assert.Equal(t, []told{{map[string]any{
		"worker.id": "w", "worker.incarnation": "3", "process.pid": int64(42), "service.name": "web",
		"n": int64(1), "f": 1.5, "ok": true, "list": []any{int64(1), "a"}, "map": map[string]any{"k": int64(2)},
	}, lifecycle.Terminated, "reported", ""}}, r.told())
	assert.Empty(t, r.list(), "of the dead there is nothing to remember")
	assert.Equal(t, 202, r.put("w", `{"state": "terminated"}`).code, "acknowledged again")
}

func TestPutDoesNotRenameWhoseResourceBearsTheNameAlready(t *testing.T) {
	r := newRig(t)
	r.put("i", `{"state": "running", "resource": {"service.instance.id": "i"}}`)
	r.put("h/7", `{"state": "running", "resource": {"host.name": "h", "process.pid": 7}}`)
	r.put("x", `{"state": "running", "resource": {"service.instance.id": "y", "container.id": "x"}}`)
	assert.Equal(t, []told{
		{map[string]any{"service.instance.id": "i"}, lifecycle.Running, "", ""},
		{map[string]any{"host.name": "h", "process.pid": int64(7)}, lifecycle.Running, "", ""},
		{map[string]any{"worker.id": "x", "service.instance.id": "y", "container.id": "x"}, lifecycle.Running, "", ""},
	}, r.told())
}

func TestAnAnnouncedWorkerIsKnown(t *testing.T) {
	r := newRig(t)
	assert.Equal(t, 202, r.put("w", `{"state": "running", "incarnation": 1}`).code)
	assert.Equal(t, 200, r.put("w", `{"state": "running", "incarnation": 1}`).code)
	assert.Equal(t, 200, r.put("w", `{"state": "running", "incarnation": 2}`).code, "its next life")
	assert.Equal(t, 200, r.put("w", `{"state": "terminated", "incarnation": 1, "reason": "goodbye"}`).code)
	list := r.list()
	require.Len(t, list, 2)
	assert.Equal(t, "terminated", list[0]["state"])
	assert.Equal(t, "1", list[0]["incarnation"])
	assert.Equal(t, "running", list[1]["state"], "the goodbye of the old life changes nothing of the new one")
	assert.Equal(t, "2", list[1]["incarnation"])
}

func TestReasonsTellTheWorkersOwnWordFromAReport(t *testing.T) {
	r := newRig(t)
	for _, body := range []string{
		`{"state": "terminated"}`,
		`{"state": "terminated", "reason": ""}`,
		`{"state": "terminated", "reason": "goodbye"}`,
		`{"state": "terminated", "reason": "OOM"}`,
		`{"state": "terminated", "reason": "connection_lost"}`,
		`{"state": "quiet", "reason": "draining"}`,
	} {
		require.Equal(t, 202, r.put("w", body).code)
	}
	var reasons []string
	for _, s := range r.told() {
		reasons = append(reasons, s.reason+"|"+s.cause)
	}
	assert.Equal(t, []string{"reported|", "reported|", "goodbye|", "reported|OOM", "reported|connection_lost", "draining|"}, reasons)
}

func TestGetListsWhatTheReceiverKnows(t *testing.T) {
	r := newRig(t)
	assert.Empty(t, r.list())
	before := time.Now().Add(-time.Second)
	r.post(counter(labels{"worker.id": "b", "service.name": "web", "color": "red", "worker.incarnation": "3"}, at(1), at(2), 1), asBinary, nil)
	r.postTraces(oneSpan(labels{"service.instance.id": "a", "process.pid": "7"}), asBinary, nil)
	r.post(counter(labels{"service.name": "nobody"}, at(1), at(2), 1), asBinary, nil)
	r.put("b", `{"state": "terminated", "reason": "OOM"}`)

	list := r.list()
	require.Len(t, list, 2)
	for _, w := range list {
		seen, err := time.Parse(time.RFC3339Nano, w["last_seen"].(string))
		require.NoError(t, err)
		assert.WithinRange(t, seen, before, time.Now().Add(time.Second))
		delete(w, "last_seen")
	}
	assert.Equal(t, map[string]any{"id": "a", "state": "running", "pid": "7", "connections": 0.0,
		"attributes": map[string]any{"service.instance.id": "a", "process.pid": "7"}}, list[0])
	assert.Equal(t, map[string]any{"id": "b", "state": "terminated", "reason": "reported", "cause": "OOM", "source": "http",
		"incarnation": "3", "connections": 0.0,
		"attributes": map[string]any{"worker.id": "b", "service.name": "web", "worker.incarnation": "3"}}, list[1])

	head := r.call("HEAD", "/v1/workers", "", nil)
	assert.Equal(t, 200, head.code)
	assert.Empty(t, head.body)
}

func TestSeveralWorkersOfOneNameAreAnswered409(t *testing.T) {
	r := newRig(t)
	r.post(counter(labels{"worker.id": "a", "container.id": "c"}, at(1), at(2), 1), asBinary, nil)
	r.post(counter(labels{"worker.id": "b", "container.id": "c"}, at(1), at(2), 1), asBinary, nil)
	r.metrics.Reset()
	got := r.put("c", `{"state": "terminated"}`)
	assert.Equal(t, 409, got.code)
	assert.JSONEq(t, `{"error": "2 workers answer to \"c\" (\"a\", \"b\"): name one by its own id, or give its resource, process.pid or worker.incarnation"}`, got.body)
	for name, send := range transports(r) {
		others := counter(labels{"worker.id": "x"}, at(1), at(2), 1)
		addCounter(others, labels{"worker.id": "y"}, at(1), at(2), 1)
		assert.Equal(t, 409, send(others, labels{"x-worker-id": "c", "x-worker-state": "terminated"}), name)
	}
	assert.Empty(t, r.metrics.AllMetrics(), "nothing is applied")
}
