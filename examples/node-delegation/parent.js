// Counts for its children. They need no SDK, no network and no time: what they
// count reaches the parent by message, and the parent is the worker.
//
//   node parent.js COUNT [crash]
//
// With crash, the last job is killed in the middle of its work.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { startWorker } from '../lib/worker.js';

const telemetry = await startWorker({ service: 'delegation' });
const runs = telemetry.meter.createCounter('delegation.runs', { unit: '{run}' });
const rows = telemetry.meter.createCounter('delegation.rows', { unit: '{row}' });

async function runJob(fault) {
  const job = fork(new URL('job.js', import.meta.url), [fault]);
  job.on('message', (message) => rows.add(message.rows));
  // The channel closes after the last message, however the child has died.
  const [[code, signal]] = await Promise.all([once(job, 'exit'), once(job, 'disconnect')]);
  runs.add(1, { outcome: signal ?? (code === 0 ? 'ok' : 'failed') });
}

const [count = '1', fault = ''] = process.argv.slice(2);
for (let i = 1; i <= Number(count); i++) await runJob(i === Number(count) ? fault : '');
await telemetry.goodbye();
