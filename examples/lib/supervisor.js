// A supervisor's side: what it knows about its workers, the collector can know at once.
import process from 'node:process';

// Where workers push over HTTP; name it if they push over gRPC.
const { WORKERS_ENDPOINT, OTEL_EXPORTER_OTLP_ENDPOINT } = process.env;
const collector = WORKERS_ENDPOINT ?? OTEL_EXPORTER_OTLP_ENDPOINT ?? 'http://localhost:4318';

/**
 * Reports that a worker is dead. Harmless if the worker has said goodbye itself
 * or its name has a new owner: the report speaks of one incarnation only.
 *
 * @param {string} id the worker's worker.id or service.instance.id
 * @param {string} incarnation its worker.incarnation
 * @param {string} [reason] what is known of the cause, such as SIGKILL
 */
export async function reportDeath(id, incarnation, reason = 'reported') {
  const response = await fetch(`${collector}/v1/workers/${encodeURIComponent(id)}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ state: 'terminated', incarnation, reason }),
    signal: AbortSignal.timeout(5_000),
  });
  if (!response.ok) throw new Error(`report of ${id}: ${response.status} ${await response.text()}`);
}
