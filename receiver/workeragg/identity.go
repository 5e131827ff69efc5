package workeragg

import (
	"net/netip"
	"slices"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// identify gives a resource that names no worker the name that its request has.
func (p *push) identify(resource pcommon.Resource) {
	if p.workerID == "" && p.incarnation == "" && p.peer == "" {
		return
	}
	attrs := resource.Attributes()
	if p.incarnation != "" && !has(attrs, lifecycle.AttrIncarnation) && !p.isNotOf(attrs) {
		attrs.PutStr(lifecycle.AttrIncarnation, p.incarnation)
	}
	if has(attrs, lifecycle.AttrWorkerID) || has(attrs, lifecycle.AttrInstanceID) {
		return
	}
	if p.workerID != "" {
		attrs.PutStr(lifecycle.AttrWorkerID, p.workerID)
	} else if p.peer != "" && !named(attrs) {
		attrs.PutStr(lifecycle.AttrWorkerID, p.peer)
	}
}

// isNotOf reports whether the attributes are another worker's than the push's.
func (p *push) isNotOf(attrs pcommon.Map) bool {
	id, ok := attrs.Get(lifecycle.AttrWorkerID)
	return ok && p.workerID != "" && id.AsString() != p.workerID
}

// named reports whether the attributes name a worker in any of the ways there are.
func named(attrs pcommon.Map) bool {
	return slices.ContainsFunc(lifecycle.Candidates, func(c lifecycle.Candidate) bool {
		_, ok := c.Name(attrs)
		return ok
	})
}

// has reports whether an attribute is there and not empty.
func has(attrs pcommon.Map, key string) bool {
	v, ok := attrs.Get(key)
	return ok && (v.Type() != pcommon.ValueTypeStr || v.Str() != "") && v.Type() != pcommon.ValueTypeEmpty
}

// peerName is an address that tells peers apart; those of a Unix socket do not.
func peerName(address string) string {
	if _, err := netip.ParseAddrPort(address); err != nil {
		return ""
	}
	return address
}

// idHeader is what errors call the header that would have named the worker.
func (r *workerReceiver) idHeader() string {
	if r.cfg.Identity.Header == "" {
		return "one with the worker's id, which identity::header turns off"
	}
	return strings.ToLower(r.cfg.Identity.Header)
}
