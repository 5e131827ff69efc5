package lifecycle

import (
	"net/url"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// Candidate is one or more resource attributes that together name a worker.
type Candidate []string

// Candidates is the default of the ordered list of attributes by which a
// worker is named: the first candidate whose attributes are all present.
var Candidates = []Candidate{
	{AttrWorkerID},
	{AttrInstanceID},
	{"host.name", AttrPID},
	{"k8s.pod.uid"},
	{"container.id"},
	{"faas.instance"},
}

// GroupAttributes is the default of the attributes within which an identity is
// one: workers of two services may bear the same name.
var GroupAttributes = []string{"service.namespace", "service.name", "deployment.environment.name"}

// LifeAttributes is the default of the attributes that tell a life from its
// successors and siblings under the same identity.
var LifeAttributes = []string{AttrPID, AttrCreationTime, AttrIncarnation}

// Name is the worker's name as one string, false if an attribute is absent or
// empty. The name of one attribute is its value; several are percent-encoded
// and joined by "/".
func (c Candidate) Name(attrs pcommon.Map) (string, bool) {
	parts := make([]string, 0, 2)
	for _, key := range c {
		v, ok := attrs.Get(key)
		if !ok {
			return "", false
		}
		s := v.AsString()
		if s == "" {
			return "", false
		}
		if len(c) == 1 {
			return s, true
		}
		parts = append(parts, url.PathEscape(s))
	}
	return strings.Join(parts, "/"), len(parts) > 0
}
