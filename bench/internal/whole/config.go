package whole

import "fmt"

// Variants are the pipelines that are compared.
var Variants = []string{"stock", "ours", "ours-on-disk"}

// ports are the loopback ports of one collector.
type ports struct{ otlp, telemetry int }

// config is a collector's configuration. All variants measure themselves alike.
func config(variant string, p ports, dir string) string {
	receiver, processors, settings := "workeragg", "[deadworkerretain]", ""
	switch variant {
	case "stock":
		receiver, processors = "otlp", "[]"
	case "ours-on-disk":
		settings = ", storage: file_storage"
	}
	return fmt.Sprintf(`
receivers:
  %[1]s:
    protocols:
      grpc: {endpoint: "127.0.0.1:%[3]d", max_recv_msg_size_mib: 16}
processors:
  deadworkerretain: {initial_value: keep, flush_interval: 1s%[5]s}
exporters:
  nop:
extensions:
  file_storage: {directory: %[6]q, create_directory: true}
service:
  extensions: [file_storage]
  pipelines:
    metrics: {receivers: [%[1]s], processors: %[2]s, exporters: [nop]}
  telemetry:
    logs: {level: warn}
    metrics:
      readers:
        - pull: {exporter: {prometheus: {host: 127.0.0.1, port: %[4]d}}}
`, receiver, processors, p.otlp, p.telemetry, settings, dir)
}
