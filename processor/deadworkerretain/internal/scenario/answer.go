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
		return fmt.Errorf("expected an error that matches /%s/: %w", a.Match, got)
	}
	var fenced *lifecycle.FencedError
	switch permanent := consumererror.IsPermanent(got); {
	case a.Kind == "permanent" && !permanent:
		return fmt.Errorf("expected a permanent error and not a retryable one: %w", got)
	case a.Kind == "retryable" && permanent:
		return fmt.Errorf("expected a retryable error and not a permanent one: %w", got)
	case a.Kind == "fenced" && !errors.As(got, &fenced):
		return fmt.Errorf("expected a FencedError: %w", got)
	}
	return nil
}
