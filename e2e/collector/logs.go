package collector

import (
	"bytes"
	"strings"
	"sync"
)

// Logs keeps what a collector has written, over all its starts.
type Logs struct {
	mu   sync.Mutex
	text []byte
}

// Write adds to the logs.
func (l *Logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, p...)
	return len(p), nil
}

// String is everything that has been written.
func (l *Logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.text)
}

// Tail is the last n lines.
func (l *Logs) Tail(n int) string {
	lines := strings.Split(strings.TrimRight(l.String(), "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// Contains reports whether the text has been written.
func (l *Logs) Contains(text string) bool { return l.containsAfter(0, text) }

func (l *Logs) containsAfter(offset int, text string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Contains(l.text[offset:], []byte(text))
}

func (l *Logs) len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.text)
}
