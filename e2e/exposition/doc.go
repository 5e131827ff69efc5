// Package exposition reads what a Prometheus endpoint shows, as flat samples.
package exposition
