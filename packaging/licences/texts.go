package main

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// text is a file of a module that has to go with the binary. The kind of a
// NOTICE is none, since it is no licence.
type text struct{ kind, file string }

var (
	licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense)([-._].*)?$`)
	noticeFile  = regexp.MustCompile(`(?i)^notice([-._].*)?$`)
)

// copyTexts copies a module's licences and notices to out/MODULE/ and tells
// which licences they are.
func copyTexts(m module, dir, out string) ([]text, error) {
	if dir == "" {
		return nil, fmt.Errorf("%s: its source is not there", m.path)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.path, err)
	}
	var texts []text
	licensed := false
	for _, entry := range entries {
		licence := licenceFile.MatchString(entry.Name())
		if entry.IsDir() || !licence && !noticeFile.MatchString(entry.Name()) || strings.HasSuffix(entry.Name(), ".go") {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		t := text{file: path.Join(m.path, entry.Name())}
		if licence {
			if t.kind = kindOf(string(raw)); t.kind == "" {
				return nil, fmt.Errorf("%s: %s is none of the known licences", m.path, entry.Name())
			}
			licensed = true
		}
		to := filepath.Join(out, filepath.FromSlash(t.file))
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, raw, 0o644)); err != nil {
			return nil, err
		}
		texts = append(texts, t)
	}
	if !licensed {
		return nil, fmt.Errorf("%s: no licence in %s", m.path, dir)
	}
	return texts, nil
}
