// Package whole loads the built collector over OTLP/gRPC on the loopback
// interface: with the workeragg receiver and the deadworkerretain processor, and
// with the stock OTLP receiver alone, both into a nop exporter.
package whole
