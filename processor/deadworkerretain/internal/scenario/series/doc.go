// Package series is a flat, typed view of metric payloads: one [Point] for
// every data point, named by everything that identifies its series. The
// scenario runner, the laws and the oracle all read payloads through it.
package series
