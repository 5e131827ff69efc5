package workeragg

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"unicode/utf8"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
	"github.com/otelcol-workers/otelcol-workers/receiver/workeragg/internal/registry"
)

const (
	// maxReport is the most bytes of a body. It holds one resource.
	maxReport = 64 * 1024
	// maxReason is the most bytes of a reason: it becomes an attribute.
	maxReason = 256
	// maxDepth is how deep a resource attribute may be nested.
	maxDepth = 16
)

// report is the body of PUT /v1/workers/{id}, checked.
type report struct {
	state       lifecycle.State
	incarnation string
	pid         int64
	reason      string
	resource    pcommon.Map
}

// reportBody is the body as it is written.
type reportBody struct {
	State       *string         `json:"state"`
	Incarnation json.RawMessage `json:"incarnation"`
	PID         *int64          `json:"pid"`
	Reason      string          `json:"reason"`
	Resource    map[string]any  `json:"resource"`
}

// readReport reads a body. Its errors name the field, the value and what is expected.
func readReport(body io.ReadCloser) (report, error) {
	raw, err := io.ReadAll(http.MaxBytesReader(nil, body, maxReport))
	if err != nil {
		if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return report{}, fmt.Errorf("body is larger than %d bytes: %w", tooLarge.Limit, err)
		}
		return report{}, fmt.Errorf("body cannot be read: %w", err)
	}
	if !utf8.Valid(raw) {
		return report{}, errors.New("body is not UTF-8")
	}
	var b reportBody
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&b); err != nil {
		return report{}, fmt.Errorf(`body is not as expected, such as {"state": "terminated", "incarnation": "3", "pid": 42, "reason": "SIGKILL", "resource": {"service.name": "web"}}: %w`, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return report{}, errors.New("body goes on after the JSON object, expected nothing")
	}
	return b.check()
}

func (b reportBody) check() (report, error) {
	r := report{reason: b.Reason, resource: pcommon.NewMap()}
	if b.State == nil {
		return r, errors.New("state is missing, expected one of running, quiet, terminated")
	}
	var err error
	if r.state, err = lifecycle.ParseState(*b.State); err != nil {
		return r, err
	}
	if r.incarnation, err = incarnationOf(b.Incarnation); err != nil {
		return r, err
	}
	if b.PID != nil {
		if r.pid = *b.PID; r.pid <= 0 {
			return r, fmt.Errorf("pid is %d, expected a number above 0", r.pid)
		}
	}
	if len(b.Reason) > maxReason {
		return r, fmt.Errorf("reason is %d bytes long, expected at most %d", len(b.Reason), maxReason)
	}
	return r, r.readResource(b.Resource)
}

// incarnationOf takes a string or a number: both are usual.
func incarnationOf(raw json.RawMessage) (string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		var number json.Number
		if err := json.Unmarshal(raw, &number); err != nil {
			return "", fmt.Errorf("incarnation is %.100s, expected a string or a number", raw)
		}
		text = number.String()
	}
	if err := validName(text); err != nil {
		return "", fmt.Errorf("incarnation %w", err)
	}
	return text, nil
}

// readResource takes the attributes; those that name a life count as the fields do.
func (r *report) readResource(attributes map[string]any) error {
	for key, value := range attributes {
		value, err := plain(value, 0)
		if err == nil {
			err = r.resource.PutEmpty(key).FromRaw(value)
		}
		if err != nil {
			return fmt.Errorf("resource attribute %q %w", key, err)
		}
	}
	if pid, ok := r.resource.Get(lifecycle.AttrPID); ok && r.pid == 0 && pid.Type() == pcommon.ValueTypeInt {
		r.pid = pid.Int()
	}
	if incarnation, ok := r.resource.Get(lifecycle.AttrIncarnation); ok && r.incarnation == "" {
		r.incarnation = incarnation.AsString()
	}
	return nil
}

// plain turns numbers of JSON into those of OTLP, which tells integers apart.
func plain(value any, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("is nested deeper than %d", maxDepth)
	}
	var err error
	switch v := value.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i, nil
		}
		if value, err = v.Float64(); err != nil {
			return nil, fmt.Errorf("is %.40s, expected a number within the range of a double", v)
		}
	case []any:
		for i := range v {
			if v[i], err = plain(v[i], depth+1); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for key := range v {
			if v[key], err = plain(v[key], depth+1); err != nil {
				return nil, err
			}
		}
	}
	return value, nil
}

func (r report) query(id string) registry.Query {
	return registry.Query{Name: id, Incarnation: r.incarnation, PID: r.pid, Resource: r.resource}
}

// signal is the report as a signal. Whoever reports a death without saying that
// it is a goodbye is taken for a supervisor, who may be wrong.
func (r report) signal() signal {
	s := lifecycle.Signal{State: r.state, Reason: r.reason, Time: timestamp()}
	if r.state == lifecycle.Terminated && r.reason != lifecycle.ReasonGoodbye {
		s.Reason = lifecycle.ReasonReported
		if r.reason != lifecycle.ReasonReported {
			s.Cause = r.reason
		}
	}
	return signal{Signal: s, source: sourceHTTP}
}
