package core

import (
	"net/url"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// who is what a resource says about its worker.
type who struct {
	group Key
	// names are the hashes of the identity candidates that are present, best
	// first; the group is part of each. An anonymous worker has one of its own.
	names []Key
	// marks are the values of the life attributes, "" where absent, in the order of the options.
	marks []string
	// life is the hash of the marks.
	life      Key
	anonymous bool
}

// identities is memory for what resources say of their workers.
type identities struct {
	names []Key
	marks []string
}

func (m *identities) reset() {
	clear(m.marks)
	m.names, m.marks = m.names[:0], m.marks[:0]
}

// identify reads a resource. What it answers lies in m.
func (h Hasher) identify(o *Options, attrs pcommon.Map, m *identities) who {
	var w who
	names, marks := len(m.names), len(m.marks)
	for i, name := range o.GroupBy {
		if v, ok := attrs.Get(name); ok {
			w.group = w.group.plus(h.attr(roleGroup, name, v).plus(h.words(roleGroup, uint64(i))))
		}
	}
	for _, candidate := range o.Identity {
		if k, ok := h.candidate(candidate, attrs); ok {
			m.names = append(m.names, h.words(roleIdentity, k.Hi, k.Lo, w.group.Hi, w.group.Lo))
		}
	}
	if len(m.names) == names {
		w.anonymous = true
		m.names = append(m.names, h.words(roleIdentity, w.group.Hi, w.group.Lo))
	}
	for _, name := range o.Life {
		mark := ""
		if v, ok := attrs.Get(name); ok {
			mark = v.AsString()
		}
		m.marks = append(m.marks, mark)
	}
	w.names, w.marks = m.names[names:], m.marks[marks:]
	w.life = h.marks(w.marks)
	return w
}

func (h Hasher) candidate(candidate []string, attrs pcommon.Map) (Key, bool) {
	var sum Key
	for _, name := range candidate {
		v, ok := attrs.Get(name)
		if !ok {
			return Key{}, false
		}
		// The text is hashed, not the value: an SDK may send process.pid as a string.
		text := v.AsString()
		if text == "" {
			return Key{}, false
		}
		sum = sum.plus(h.textAttr(roleIdentity, name, text))
	}
	return sum, true
}

func (h Hasher) marks(marks []string) Key {
	var sum Key
	for i, m := range marks {
		if m != "" {
			sum = sum.plus(h.text(roleLife+role(i)<<32, m))
		}
	}
	return sum
}

// nameOf writes a worker's identity as one string, a/b percent-encoded where
// several attributes make it up. It is empty for an anonymous worker.
func nameOf(o *Options, attrs pcommon.Map) string {
next:
	for _, candidate := range o.Identity {
		parts := make([]string, len(candidate))
		for i, name := range candidate {
			v, ok := attrs.Get(name)
			if !ok || v.AsString() == "" {
				continue next
			}
			parts[i] = v.AsString()
			if len(candidate) > 1 {
				parts[i] = url.PathEscape(parts[i])
			}
		}
		return strings.Join(parts, "/")
	}
	return ""
}

// marksText writes the life attributes as a=b,c=d.
func marksText(o *Options, marks []string) string {
	var parts []string
	for i, m := range marks {
		if m != "" {
			parts = append(parts, o.Life[i]+"="+m)
		}
	}
	return strings.Join(parts, ",")
}

// agree reports whether no life attribute that both name differs.
func agree(a, b []string) bool {
	for i := range a {
		if a[i] != "" && b[i] != "" && a[i] != b[i] {
			return false
		}
	}
	return true
}

// joined is all that two lists of life attributes name, which agree.
func joined(a, b []string) []string {
	both := make([]string, len(a))
	for i := range a {
		if both[i] = a[i]; a[i] == "" {
			both[i] = b[i]
		}
	}
	return both
}

// within reports whether everything a names, b names alike.
func within(a, b []string) bool {
	for i := range a {
		if a[i] != "" && a[i] != b[i] {
			return false
		}
	}
	return true
}
