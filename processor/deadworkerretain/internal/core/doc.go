// Package core is the table of workers and its arithmetic: lives, streams,
// runs, folds, tombstones and the series they add up to. It has no goroutine,
// no clock and no lock: what arrives and what time it is are arguments, what
// goes out is a result. A [Table] must not be used from two goroutines at once;
// only [Hasher] methods and [Prepare] may run beside it.
//
// The words are those of the OpenTelemetry metrics data model
// (https://opentelemetry.io/docs/specs/otel/metrics/data-model/): a stream is
// one series of one worker; a run is the part of a stream with one start time.
//
// The mechanism in one paragraph: within one run, cumulative monotonic values
// merge by maximum, so every accepted point adds its difference to the run's
// last value to the series, and a point that brings nothing new adds nothing. A
// series therefore only ever grows. A death moves a life to the tombstones and
// changes no number; a return finds its last values there and goes on adding
// differences.
package core
