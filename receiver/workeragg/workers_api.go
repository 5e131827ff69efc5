package workeragg

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// workersPath lists the workers; below it, one segment is one worker.
const workersPath = "/v1/workers"

// serveWorkers answers workersPath and what is below. The rest of the path is
// still percent-encoded: an id may hold a slash.
func (r *workerReceiver) serveWorkers(w http.ResponseWriter, req *http.Request, rest string) {
	if rest == "" {
		r.serveList(w, req)
		return
	}
	segment := strings.TrimPrefix(rest, "/")
	if segment == "" || strings.Contains(segment, "/") {
		refuse(w, http.StatusNotFound, "path "+strconv.Quote(req.URL.EscapedPath())+" is unknown, expected "+workersPath+" or "+workersPath+"/{id}; a slash in an id is written %2F")
		return
	}
	id, err := url.PathUnescape(segment)
	if err == nil {
		err = validName(id)
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, "worker id "+err.Error())
		return
	}
	if req.Method != http.MethodPut {
		notAllowed(w, req, http.MethodPut)
		return
	}
	r.putWorker(w, req, id)
}

func (r *workerReceiver) serveList(w http.ResponseWriter, req *http.Request) {
	if req.Method != http.MethodGet && req.Method != http.MethodHead {
		notAllowed(w, req, http.MethodGet+", "+http.MethodHead)
		return
	}
	known := r.registry.List()
	listed := make([]listedWorker, len(known))
	for i, info := range known {
		listed[i] = listedWorker{
			ID:          info.ID,
			State:       info.State.String(),
			Reason:      info.Reason,
			Cause:       info.Cause,
			Source:      info.Source,
			Incarnation: info.Attributes[lifecycle.AttrIncarnation],
			PID:         info.Attributes[lifecycle.AttrPID],
			LastSeen:    info.LastSeen,
			Connections: info.Connections,
			Attributes:  info.Attributes,
		}
	}
	respond(w, http.StatusOK, workerList{listed})
}

type workerList struct {
	Workers []listedWorker `json:"workers"`
}

// listedWorker is one life in the answer to GET /v1/workers.
type listedWorker struct {
	ID          string         `json:"id"`
	State       string         `json:"state"`
	Reason      string         `json:"reason,omitempty"`
	Cause       string         `json:"cause,omitempty"`
	Source      string         `json:"source,omitempty"`
	Incarnation any            `json:"incarnation,omitempty"`
	PID         any            `json:"pid,omitempty"`
	LastSeen    time.Time      `json:"last_seen"`
	Connections int            `json:"connections"`
	Attributes  map[string]any `json:"attributes"`
}

// putWorker takes a signal about one worker, and answers when it is applied.
func (r *workerReceiver) putWorker(w http.ResponseWriter, req *http.Request, id string) {
	report, err := readReport(req.Body)
	if err != nil {
		code := http.StatusBadRequest
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			code = http.StatusRequestEntityTooLarge
		}
		refuse(w, code, err.Error())
		return
	}
	if r.nextMetrics == nil {
		fail(w, errNoMetrics)
		return
	}
	known, err := r.signalTo(req.Context(), report.query(id), report.signal(), nil)
	if err != nil {
		fail(w, err)
		return
	}
	code := http.StatusOK
	if !known {
		code = http.StatusAccepted
	}
	respond(w, code, accepted{Worker: id, State: report.state.String(), Known: known})
}

// accepted is the answer to a signal that was applied.
type accepted struct {
	Worker string `json:"worker"`
	State  string `json:"state"`
	// Known says whether the signal went where the worker's data goes.
	Known bool `json:"known"`
}

// refusal is every answer that is an error.
type refusal struct {
	Error string `json:"error"`
	// Living names the lives that live, where another one was meant.
	Living []string `json:"living,omitempty"`
}

func refuse(w http.ResponseWriter, code int, message string) {
	respond(w, code, refusal{Error: message})
}

func notAllowed(w http.ResponseWriter, req *http.Request, allowed string) {
	w.Header().Set("Allow", allowed)
	refuse(w, http.StatusMethodNotAllowed, "method "+strconv.Quote(req.Method)+" is not allowed here, expected "+allowed)
}

// fail answers with the pipeline's error.
func fail(w http.ResponseWriter, err error) {
	s := statusOf(err)
	if after := retryAfter(s); after > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(after))
	}
	answer := refusal{Error: s.Message()}
	if fenced, ok := errors.AsType[*lifecycle.FencedError](err); ok {
		answer.Living = fenced.Living
	}
	respond(w, httpCode(s), answer)
}

func respond(w http.ResponseWriter, code int, answer any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(code)
	// Whoever hung up does not miss the answer.
	_ = json.NewEncoder(w).Encode(answer)
}
