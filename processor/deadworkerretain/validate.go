package deadworkerretain

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

func oneOf(key, value string, allowed ...string) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	return fmt.Errorf("%s is %q, expected one of %s", key, value, strings.Join(allowed, ", "))
}

func atLeast(key string, value, least time.Duration) error {
	if value >= least {
		return nil
	}
	return fmt.Errorf("%s is %s, expected at least %s", key, value, least)
}

func positive(key string, value int) error {
	if value > 0 {
		return nil
	}
	return fmt.Errorf("%s is %d, expected at least 1", key, value)
}

// attributeNames checks a list of resource attributes, or of tuples of them.
func attributeNames(key string, names []string, tuples bool) error {
	for i, name := range names {
		parts := []string{name}
		if tuples {
			parts = strings.Split(name, "+")
		}
		if slices.Contains(parts, "") {
			return fmt.Errorf("%s[%d] is %q, expected the name of a resource attribute", key, i, name)
		}
		if slices.Index(names, name) < i {
			return fmt.Errorf("%s[%d] is %q, which the list already holds", key, i, name)
		}
	}
	return nil
}
