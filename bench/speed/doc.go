// Package speed holds the benchmarks that run by the machine's clock. They are
// ordinary Go benchmarks:
//
//	go test ./speed -bench Steady/payload=numbers-1k -benchtime 0.3s -full
//
// Without -full the fleets are small, for a smoke test of the totals. Every
// benchmark checks the totals of those contenders that can get them right.
package speed
