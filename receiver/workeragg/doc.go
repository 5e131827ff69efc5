//go:generate go tool -modfile=../../internal/tools/go.mod mdatagen metadata.yaml

// Package workeragg is a receiver of OTLP that knows its senders as workers:
// it names them, hears how they live and die, and passes both on in band.
package workeragg
