package scenario

import (
	"fmt"
	"strings"
)

// lex splits a line into words. Commas are spaces, except in brackets; what is
// in braces, brackets, quotes or between slashes is one word; ( and ) are words.
// A # outside of those begins a comment.
func lex(line string) ([]string, error) {
	var words []string
	for i := 0; i < len(line); {
		switch line[i] {
		case ' ', '\t', ',':
			i++
		case '#':
			return words, nil
		case '(', ')':
			words = append(words, line[i:i+1])
			i++
		case '/':
			end := strings.IndexByte(line[i+1:], '/')
			if end < 0 {
				return nil, fmt.Errorf("%q: the closing / is missing", line[i:])
			}
			words = append(words, line[i:i+end+2])
			i += end + 2
		default:
			end, err := wordEnd(line, i)
			if err != nil {
				return nil, err
			}
			words = append(words, line[i:end])
			i = end
		}
	}
	return words, nil
}

// wordEnd is where the word that begins at i ends.
func wordEnd(line string, i int) (int, error) {
	for i < len(line) && !strings.ContainsRune(" \t,()#", rune(line[i])) {
		if strings.IndexByte(`{["`, line[i]) < 0 {
			i++
			continue
		}
		end := closing(line, i)
		if end < 0 {
			return 0, fmt.Errorf("%q: the closing bracket or quote is missing", line[i:])
		}
		i = end + 1
	}
	return i, nil
}

// closing is the index of what closes the bracket or quote at i, or -1.
func closing(s string, i int) int {
	if s[i] == '"' {
		for j := i + 1; j < len(s); j++ {
			switch s[j] {
			case '\\':
				j++
			case '"':
				return j
			}
		}
		return -1
	}
	for j := i + 1; j < len(s); j++ {
		switch s[j] {
		case '}', ']':
			return j
		case '{', '[', '"':
			end := closing(s, j)
			if end < 0 {
				return -1
			}
			j = end
		}
	}
	return -1
}

// splitList splits at commas that are not in quotes.
func splitList(s string) []string {
	var parts []string
	begin := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			if end := closing(s, i); end > 0 {
				i = end
			}
		case ',':
			parts = append(parts, strings.TrimSpace(s[begin:i]))
			begin = i + 1
		}
	}
	if last := strings.TrimSpace(s[begin:]); last != "" {
		parts = append(parts, last)
	}
	return parts
}
