//go:generate go tool -modfile=../../internal/tools/go.mod mdatagen metadata.yaml

// Package deadworkerretain is a metrics processor that sums the cumulative
// metrics of many workers and keeps what the dead ones counted, so that a dying
// worker cannot make a total go down.
package deadworkerretain
