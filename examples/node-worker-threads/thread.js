// One thread: an SDK of its own, jobs from the main thread, and every way to die.
import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { startWorker } from '../lib/worker.js';

const telemetry = await startWorker({ service: 'pool', ...workerData });
const jobs = telemetry.meter.createCounter('pool.jobs', { unit: '{job}' });

const kinds = {
  work: () => {},
  // A loop without await holds up everything in this thread, pushes too.
  block: ({ ms }) => {
    for (const end = Date.now() + ms; Date.now() < end; );
  },
  throw: () => {
    throw new Error('uncaught');
  },
  exit: () => process.exit(3),
  oom: () => {
    for (const hoard = []; ; ) hoard.push(new Array(1e5).fill(hoard.length));
  },
};

parentPort.on('message', async (job) => {
  if (job.kind === 'return') {
    parentPort.close(); // nothing else holds this thread: it returns after the goodbye
    await telemetry.goodbye();
    return;
  }
  jobs.add(1, { kind: job.kind });
  kinds[job.kind](job);
  await telemetry.flush();
  parentPort.postMessage({ event: 'done', kind: job.kind });
});
parentPort.postMessage({ event: 'start' });
