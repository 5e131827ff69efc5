package scenario

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

func TestRunner(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"as expected": {text: `
now=0 A start=1 t=2 c=3 -> ok -> out 3 start=0
now=1 B c=7 -> out c=10 monotonic=true start=same series=1
self flushes>=2 flushes<=20
log info /made/
log no warn /.*/`},
		"another value":  {"A c=3 -> out 4", "it is 3, expected 4"},
		"all is shown":   {"A c=3 -> out 4", "there is:\n   c=3 monotonic=true"},
		"int for double": {"A c=3 -> out 3.0", "an int is not a double"},
		"absent":         {"A c=3 -> out no c", "c is there"},
		"missing":        {"A c=3 -> out g=1", "g is not there"},
		"accepted":       {"A c=3 -> error", "expected an error"},
		"refused":        {"A g=3", "the push was refused"},
		"other refusal":  {"A g=3 -> error /because/", "expected an error that matches /because/"},
		"retryable":      {"A g=3 -> error permanent", "expected a permanent error"},
		"the law":        {"A c=3 -> out 3\nnow=11", "fell from 3 to 0"},
		"the clock":      {"now=5\nnow=4", "the clock is at 5 already"},
		"self":           {"now=1 self flushes=3", "flushes is 10, expected =3"},
		"log":            {"log warn /.*/", "logged 0 times"},
		"no reset":       {"A c=3 -> out 3\nout start=new 3", "stands behind no series"},
		"same start":     {"A c=3 -> out 3\nout 3 start=new", "expected start=new"},
		"end":            {"A c=3\nended c", "ended 0 times"},
		"restart": {text: `
A c=3 -> out 3
restart
out 0 start=new`},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Parse(name, c.text)
			if err == nil {
				synctest.Test(t, func(*testing.T) { err = Run(s, naiveFactory()) })
			}
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.want)
		})
	}
}
