// A worker's side: the OpenTelemetry SDK, and a goodbye that knows whether it arrived.
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { ExportResultCode } from '@opentelemetry/core';
import { resourceFromAttributes, defaultResource } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';

const exporters = {
  grpc: '@opentelemetry/exporter-metrics-otlp-grpc',
  'http/json': '@opentelemetry/exporter-metrics-otlp-http',
  'http/protobuf': '@opentelemetry/exporter-metrics-otlp-proto',
};
// A counter that is used for the first time in the very millisecond in which it is
// pushed gets a start time equal to its point's, which means "began at an unknown
// time", so that its first value may not count. A moment's wait prevents that.
const moment = () => setTimeout(2);
const born = new Date(Date.now() - process.uptime() * 1000).toISOString();

/**
 * Starts the SDK. Where to push, and how often, comes from OTEL_EXPORTER_OTLP_ENDPOINT,
 * OTEL_EXPORTER_OTLP_PROTOCOL and OTEL_METRIC_EXPORT_INTERVAL.
 *
 * @param {object} options
 * @param {string} options.service what the workers are summed as
 * @param {string} [options.id] names the worker; give it to a worker that keeps its name over restarts
 * @param {string} [options.incarnation] tells its lives apart
 */
export async function startWorker({ service, id, incarnation = randomUUID() }) {
  const protocol = process.env.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/protobuf';
  const { OTLPMetricExporter } = await import(exporters[protocol]);
  const exporter = new OTLPMetricExporter();

  // The SDK's shutdown does not say whether its last push was acknowledged.
  let answer;
  const push = exporter.export.bind(exporter);
  exporter.export = (metrics, done) => {
    answer = undefined;
    push(metrics, (result) => done((answer = result)));
  };

  const interval = Number(process.env.OTEL_METRIC_EXPORT_INTERVAL ?? 10_000);
  const provider = new MeterProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        'service.name': service,
        'service.instance.id': randomUUID(),
        'process.pid': process.pid,
        'process.creation.time': born,
        'worker.incarnation': incarnation,
        ...(id && { 'worker.id': id }),
      }),
    ),
    readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: interval })],
  });
  const meter = provider.getMeter(service);

  // Every push says that the worker runs. Always the same attributes (none): with
  // others, the old state would go on being exported beside the new one.
  const state = meter.createGauge('worker.state');
  state.record(0);

  return {
    meter,
    /** Pushes now. */
    async flush() {
      await moment();
      await provider.forceFlush();
    },
    /** Pushes the last values and the goodbye in one request. Rejects if nobody acknowledged it. */
    async goodbye() {
      await moment();
      state.record(2);
      await provider.shutdown();
      if (answer?.code !== ExportResultCode.SUCCESS) {
        throw new Error('goodbye not acknowledged', { cause: answer?.error });
      }
    },
  };
}
