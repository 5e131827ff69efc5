package scenario

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// ParseFile reads a scenario file.
func ParseFile(path string) (*Scenario, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, string(text))
}

// Parse reads a scenario. The error names the line.
func Parse(name, text string) (*Scenario, error) {
	s := &Scenario{Name: name}
	var lines []line
	for i, t := range strings.Split(text, "\n") {
		lines = append(lines, line{i + 1, strings.TrimRight(t, " \t\r")})
	}
	lines, err := unroll(lines)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	inConfig := false
	for _, l := range lines {
		if indented := strings.HasPrefix(l.text, " "); inConfig && (indented || l.text == "") {
			s.Config += l.text + "\n"
			continue
		}
		inConfig = l.text == "config:"
		if inConfig {
			continue
		}
		if err := s.parseLine(l); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, l.number, err)
		}
	}
	return s, nil
}

func (s *Scenario) parseLine(l line) error {
	words, err := lex(l.text)
	if err != nil || len(words) == 0 {
		return err
	}
	switch words[0] {
	case "worker":
		return s.parseWorker(words[1:])
	case "metric":
		m, err := parseMetric(words[1:])
		s.Metrics = append(s.Metrics, m)
		return err
	}
	if to, ok := strings.CutPrefix(words[0], "now="); ok {
		clock, err := parseClock(to)
		if err != nil {
			return err
		}
		s.Steps = append(s.Steps, Step{l.number, clock})
		words = words[1:]
	}
	return s.parseStatements(l.number, words)
}

// parseStatements reads a statement and what follows behind arrows.
func (s *Scenario) parseStatements(number int, words []string) error {
	for len(words) > 0 {
		part, rest := words, []string(nil)
		if i := slices.Index(words, "->"); i >= 0 {
			part, rest = words[:i], words[i+1:]
		}
		words = rest
		if len(part) == 0 {
			continue
		}
		if answer, ok, err := parseAnswer(part); err != nil {
			return err
		} else if ok {
			push, isPush := s.lastPush()
			if !isPush {
				return fmt.Errorf("%q does not follow a push", strings.Join(part, " "))
			}
			push.Answer = answer
			continue
		}
		do, err := s.parseStatement(part)
		if err != nil {
			return err
		}
		s.Steps = append(s.Steps, Step{number, do})
	}
	return nil
}

func (s *Scenario) lastPush() (*Push, bool) {
	if len(s.Steps) == 0 {
		return nil, false
	}
	push, ok := s.Steps[len(s.Steps)-1].Do.(*Push)
	return push, ok
}

func (s *Scenario) parseStatement(words []string) (Statement, error) {
	rest := words[1:]
	switch words[0] {
	case "out":
		expect, err := s.parseExpect(rest)
		return &Out{expect}, err
	case "ended":
		expect, err := s.parseExpect(rest)
		return &Ended{expect}, err
	case "passed":
		expect, err := s.parseExpect(rest)
		return &Passed{expect}, err
	case "self":
		return parseSelf(rest)
	case "log":
		return parseLog(rest)
	case "stop", "start", "restart", "crash":
		return &Collector{words[0]}, nothing(words[0], rest)
	case "storage":
		what, err := oneOf("storage", rest, "fails", "works", "damaged", "emptied")
		return &Storage{what}, err
	case "sink":
		what, err := oneOf("sink", rest, "refuses", "accepts")
		return &Sink{what}, err
	default:
		return s.parsePush(words)
	}
}

func nothing(after string, words []string) error {
	if len(words) > 0 {
		return fmt.Errorf("%q after %s", strings.Join(words, " "), after)
	}
	return nil
}

func oneOf(what string, words []string, allowed ...string) (string, error) {
	if len(words) != 1 || !slices.Contains(allowed, words[0]) {
		return "", fmt.Errorf("%s %q, expected one of %s", what, strings.Join(words, " "), strings.Join(allowed, ", "))
	}
	return words[0], nil
}
