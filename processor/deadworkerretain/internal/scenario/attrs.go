package scenario

import (
	"fmt"
	"strconv"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// Attrs are attributes in the order they are written. Values keep their text:
// unquoted integers, decimals and true/false are typed, all else is a string.
type Attrs []Attr

// Attr is one attribute.
type Attr struct{ Key, Value string }

// String is {a=b, n=7}, or nothing.
func (a Attrs) String() string {
	if len(a) == 0 {
		return ""
	}
	parts := make([]string, len(a))
	for i, attr := range a {
		parts[i] = attr.Key + "=" + attr.Value
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// putInto sets the attributes; empty values remove.
func (a Attrs) putInto(m pcommon.Map) {
	for _, attr := range a {
		if attr.Value == "" {
			m.Remove(attr.Key)
			continue
		}
		putValue(m.PutEmpty(attr.Key), attr.Value)
	}
}

func (a Attrs) asMap() pcommon.Map {
	m := pcommon.NewMap()
	a.putInto(m)
	return m
}

func putValue(v pcommon.Value, text string) {
	if s, err := strconv.Unquote(text); err == nil && strings.HasPrefix(text, `"`) {
		v.SetStr(s)
	} else if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		v.SetInt(n)
	} else if text == "true" || text == "false" {
		v.SetBool(text == "true")
	} else if f, err := strconv.ParseFloat(text, 64); err == nil {
		v.SetDouble(f)
	} else {
		v.SetStr(text)
	}
}

// parseAttrs reads {a=b, n=7}.
func parseAttrs(text string) (Attrs, error) {
	if text == "" {
		return nil, nil
	}
	if !strings.HasPrefix(text, "{") || !strings.HasSuffix(text, "}") {
		return nil, fmt.Errorf("attributes %q are not in braces", text)
	}
	var out Attrs
	for _, part := range splitList(text[1 : len(text)-1]) {
		key, value, ok := strings.Cut(part, "=")
		if !ok {
			return nil, fmt.Errorf("attribute %q has no =", part)
		}
		out = append(out, Attr{strings.TrimSpace(key), strings.TrimSpace(value)})
	}
	return out, nil
}

// cutAttrs splits c{a=b}=10 into c, {a=b} and =10.
func cutAttrs(token string) (before string, attrs Attrs, after string, err error) {
	open := strings.IndexByte(token, '{')
	if eq := strings.IndexAny(token, "=+"); open < 0 || eq >= 0 && eq < open {
		if eq < 0 {
			return token, nil, "", nil
		}
		return token[:eq], nil, token[eq:], nil
	}
	end := closing(token, open)
	if end < 0 {
		return "", nil, "", fmt.Errorf("%q: { is not closed", token)
	}
	attrs, err = parseAttrs(token[open : end+1])
	return token[:open], attrs, token[end+1:], err
}
