package main

import "strings"

// kinds are the licences that may be shipped in a binary with nothing more than
// their texts, by SPDX identifier, and what tells each. The first that fits counts.
var kinds = []struct {
	id   string
	says []string
}{
	{"Apache-2.0", []string{"apache license", "version 2.0"}},
	{"MPL-2.0", []string{"mozilla public license", "version 2.0"}},
	{"ISC", []string{"permission to use, copy, modify, and"}},
	{"MIT", []string{"permission is hereby granted, free of charge", "the above copyright notice and this permission notice"}},
	{"BSD-3-Clause", []string{"redistributions in binary form", "neither the name"}},
	{"BSD-3-Clause", []string{"redistributions in binary form", "names of its contributors may not be used"}},
	{"BSD-2-Clause", []string{"redistributions of source code", "redistributions in binary form"}},
	{"CC0-1.0", []string{"cc0 1.0 universal"}},
	{"Unlicense", []string{"this is free and unencumbered software released into the public domain"}},
}

// kindOf is the SPDX identifier of a licence text, "" if it is none of the known.
func kindOf(text string) string {
	words := strings.Join(strings.Fields(strings.ToLower(text)), " ")
next:
	for _, k := range kinds {
		for _, phrase := range k.says {
			if !strings.Contains(words, phrase) {
				continue next
			}
		}
		return k.id
	}
	return ""
}
