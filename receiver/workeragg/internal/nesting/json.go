package nesting

// MaxBrackets is how many brackets of JSON may be open at once, as in
// encoding/json. OTLP itself takes twenty, and three per level of an attribute.
const MaxBrackets = 10_000

// JSON is a [Scanner]. What is no JSON it leaves to the decoder.
type JSON struct {
	open    int
	text    bool // within a string
	escaped bool // after a backslash
}

// Scan reads the next piece.
func (s *JSON) Scan(piece []byte) error {
	for _, b := range piece {
		switch {
		case s.escaped:
			s.escaped = false
		case b == '"':
			s.text = !s.text
		case s.text:
			s.escaped = b == '\\'
		case b == '{', b == '[':
			if s.open++; s.open > MaxBrackets {
				return &TooDeepError{MaxBrackets}
			}
		case b == '}', b == ']':
			s.open--
		}
	}
	return nil
}
