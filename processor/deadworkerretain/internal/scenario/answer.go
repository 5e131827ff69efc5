package scenario

import (
	"errors"
	"fmt"
	"regexp"

	"go.opentelemetry.io/collector/consumer/consumererror"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// check compares the result of a push with what is expected.
func (a Answer) check(got error) error {
	switch {
	case a.Any, !a.Error && got == nil:
		return nil
	case !a.Error:
		return fmt.Errorf("the push was refused: %w", got)
	case got == nil:
		return errors.New("the push was accepted, expected an error")
	}
	if a.Match != "" && !regexp.MustCompile(a.Match).MatchString(got.Error()) {
		return fmt.Errorf("the error is %q, expected it to match /%s/", got, a.Match)
	}
	var fenced *lifecycle.FencedError
	switch permanent := consumererror.IsPermanent(got); {
	case a.Kind == "permanent" && !permanent:
		return fmt.Errorf("the error %q is retryable, expected a permanent one", got)
	case a.Kind == "retryable" && permanent:
		return fmt.Errorf("the error %q is permanent, expected a retryable one", got)
	case a.Kind == "fenced" && !errors.As(got, &fenced):
		return fmt.Errorf("the error %q is no FencedError", got)
	}
	return nil
}
