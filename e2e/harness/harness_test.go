package harness

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// recorder is a test that may fail: it keeps what it fails with.
type recorder struct {
	testing.TB
	failure string
}

func (r *recorder) Fatal(args ...any)                 { panic(r.fail(fmt.Sprint(args...))) }
func (r *recorder) Fatalf(format string, args ...any) { panic(r.fail(fmt.Sprintf(format, args...))) }

func (r *recorder) fail(text string) *recorder {
	r.failure = text
	return r
}

// eventually returns what Eventually fails with, and how often it asked.
func eventually(t *testing.T, condition func(asked int) error) (failure string, asked int) {
	r := &recorder{TB: t}
	defer func() {
		if p := recover(); p != nil && p != any(r) {
			panic(p)
		}
		failure = r.failure
	}()
	Eventually(r, func(context.Context) error {
		asked++
		return condition(asked)
	})
	return "", asked
}

func TestEventually(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failure, asked := eventually(t, func(asked int) error {
			if asked < 3 {
				return errors.New("not yet")
			}
			return nil
		})
		assert.Empty(t, failure)
		assert.Equal(t, 3, asked)
	})
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		failure, _ := eventually(t, func(int) error { return errors.New("never will") })
		assert.Equal(t, "still not so after 2m0s: never will", failure)
		assert.Equal(t, Patience, time.Since(began))
	})
	synctest.Test(t, func(t *testing.T) {
		failure, asked := eventually(t, func(int) error {
			return errors.Join(errors.New("a"), Hopeless(errors.New("b")))
		})
		assert.Equal(t, "a\nb", failure)
		assert.Equal(t, 1, asked)
	})
}
