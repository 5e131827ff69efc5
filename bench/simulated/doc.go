// Package simulated holds what needs hours or exact order: it runs under a fake
// clock and reads the machine's real one for what it times.
//
//	go test -tags synctest ./simulated -v -full
//
// The build tag makes the peers' cached clock follow the fake one. Figures are
// printed as benchmark lines, outcomes as lines that begin with "outcome:".
package simulated
