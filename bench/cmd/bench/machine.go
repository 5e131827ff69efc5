package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// machine says what the figures were measured on, and how busy it was.
func machine() string {
	return fmt.Sprintf("Commit %s, %s, %d cores of %s, load average %s before the run.",
		commit(), runtime.Version(), runtime.NumCPU(), field("/proc/cpuinfo", "model name"), load())
}

// commit is that of the work tree, with a plus if what is measured has been
// changed since.
func commit() string {
	id, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output()
	if err != nil {
		return "unknown"
	}
	name := strings.TrimSpace(string(id))
	if changed, err := exec.Command("git", "status", "--porcelain", "--", "../processor", "../receiver", "../internal", ".").Output(); err == nil && len(changed) > 0 {
		name += "+"
	}
	return name
}

func field(file, key string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return "an unknown kind"
	}
	for line := range strings.Lines(string(text)) {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return "an unknown kind"
}

func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Fields(string(text))[0]
}
