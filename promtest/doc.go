// Package promtest holds the collector against a real Prometheus: its storage,
// its scraper, its receivers for remote write and OTLP, and PromQL. It also
// holds the alerts and the dashboard in config against the collector.
//
// What imports Prometheus is left out under the race detector. A second compile
// of it takes minutes, and the code to watch for races is in other modules.
package promtest
