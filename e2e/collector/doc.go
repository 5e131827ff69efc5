// Package collector runs the built collector as a process of its own: on
// ports that are free, with a configuration made from a template, until it is
// stopped, killed or restarted.
package collector
