// Package nesting finds out, before an OTLP request is decoded, whether it is
// nested so deep that decoding it is a danger. The decoders of the stock
// receiver call themselves for every level of an attribute, without limit, and
// Go ends a process whose stack is used up: nobody can recover from that.
package nesting

import "fmt"

// Small is the size of a request, in bytes, or of a part of one, that is never
// looked into: it has no room to be nested deep enough.
const Small = 32 << 10

// Scanner reads a request as it comes, piece by piece. Its error says that the
// request is nested too deep.
type Scanner interface {
	Scan(piece []byte) error
}

// TooDeepError is the answer to a request that is nested too deep.
type TooDeepError struct{ Max int }

func (e *TooDeepError) Error() string {
	return fmt.Sprintf("request is nested deeper than %d levels", e.Max)
}
