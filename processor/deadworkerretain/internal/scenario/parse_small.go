package scenario

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// parseWorker reads: worker NAME key=value ...
func (s *Scenario) parseWorker(words []string) error {
	if len(words) == 0 || !isWorker(words[0]) {
		return errors.New("expected the worker's name, which begins with a capital letter")
	}
	w := Worker{Name: words[0]}
	for _, word := range words[1:] {
		key, value, ok := strings.Cut(word, "=")
		if !ok {
			return fmt.Errorf("attribute %q has no =", word)
		}
		w.Attrs = append(w.Attrs, Attr{key, value})
	}
	s.Workers = append(s.Workers, w)
	return nil
}

func isWorker(word string) bool { return word[0] >= 'A' && word[0] <= 'Z' }

func parseClock(to string) (*Clock, error) {
	relative := strings.HasPrefix(to, "+")
	d, err := duration(strings.TrimPrefix(to, "+"))
	return &Clock{To: d, Relative: relative}, err
}

// parseAnswer reads: ok | any | error [permanent|retryable|fenced] [/regexp/]
func parseAnswer(words []string) (Answer, bool, error) {
	switch words[0] {
	case "ok", "ack":
		return Answer{}, true, nothing(words[0], words[1:])
	case "any":
		return Answer{Any: true}, true, nothing(words[0], words[1:])
	case "error":
	default:
		return Answer{}, false, nil
	}
	a := Answer{Error: true}
	for _, word := range words[1:] {
		switch word {
		case "permanent", "retryable", "fenced":
			a.Kind = word
		default:
			match, err := pattern(word)
			if err != nil {
				return a, false, err
			}
			a.Match = match
		}
	}
	return a, true, nil
}

func pattern(word string) (string, error) {
	if len(word) < 2 || word[0] != '/' || word[len(word)-1] != '/' {
		return "", fmt.Errorf("%q is not a regular expression between slashes", word)
	}
	match := word[1 : len(word)-1]
	_, err := regexp.Compile(match)
	return match, err
}

var selfValue = regexp.MustCompile(`^([a-z_]+)(\{.*\})?(=|<=|>=)(\d+)$`)

// parseSelf reads: self name{key=value}=3 other<=5
func parseSelf(words []string) (*Self, error) {
	s := &Self{}
	for _, word := range words {
		m := selfValue.FindStringSubmatch(word)
		if m == nil {
			return nil, fmt.Errorf("%q, expected name{attribute=value} =, <= or >= a whole number", word)
		}
		attrs, err := parseAttrs(m[2])
		if err != nil {
			return nil, err
		}
		value, err := strconv.ParseInt(m[4], 10, 64)
		if err != nil {
			return nil, err
		}
		s.Values = append(s.Values, SelfValue{Name: m[1], Attrs: attrs, Op: m[3], Value: value})
	}
	return s, nil
}

// parseLog reads: log [no] LEVEL [TIMES] /regexp/
func parseLog(words []string) (*Log, error) {
	l := &Log{Times: -1}
	if len(words) > 0 && words[0] == "no" {
		l.Times = 0
		words = words[1:]
	}
	if len(words) < 2 {
		return nil, errors.New("expected a level and a regular expression")
	}
	l.Level = words[0]
	if n, err := strconv.Atoi(words[1]); err == nil && len(words) == 3 {
		l.Times = n
		words = words[1:]
	}
	match, err := pattern(words[1])
	l.Match = match
	return l, err
}
