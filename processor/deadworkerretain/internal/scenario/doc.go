// Package scenario is a small text language for tests of the processor, and
// what runs it: workers push, die and return, the clock moves, and the output
// is compared. The language is described in testdata/scenarios/README.md.
//
// A [Scenario] can be parsed from text or made by a program, and [Scenario.String]
// writes it as text, so that a history which a property test found failing can
// be committed as a file.
package scenario
