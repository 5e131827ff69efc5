package series

import (
	"slices"
	"strconv"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// FormatAttrs writes an attribute set as {a=b, n=7}, sorted by key. Text that
// reads like a number or needs it is quoted.
func FormatAttrs(m pcommon.Map) string {
	if m.Len() == 0 {
		return ""
	}
	parts := make([]string, 0, m.Len())
	for k, v := range m.All() {
		parts = append(parts, k+"="+formatValue(v))
	}
	slices.Sort(parts)
	return "{" + strings.Join(parts, ", ") + "}"
}

func formatValue(v pcommon.Value) string {
	switch v.Type() {
	case pcommon.ValueTypeStr:
		return QuoteIfNeeded(v.Str())
	case pcommon.ValueTypeDouble:
		return FormatFloat(v.Double())
	default:
		return v.AsString()
	}
}

// QuoteIfNeeded quotes text that would otherwise be read as something else.
func QuoteIfNeeded(s string) string {
	_, notNumber := strconv.ParseFloat(s, 64)
	_, notBool := strconv.ParseBool(s)
	if s == "" || notNumber == nil || notBool == nil || strings.ContainsAny(s, " \t,{}[]()\"=#$") {
		return strconv.Quote(s)
	}
	return s
}
