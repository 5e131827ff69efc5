// A job that lives for 100 ms: shorter than any push interval.
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { startWorker } from '../lib/worker.js';

const { WORKER_ID: id, WORKER_INCARNATION: incarnation, FAULT: fault } = process.env;
const telemetry = await startWorker({ service: 'jobs', id, incarnation });
const runs = telemetry.meter.createCounter('jobs.runs', { unit: '{run}' });

runs.add(1);
if (fault) await telemetry.flush(); // a job that may not come to its end counts its start at once
if (fault === 'crash') process.kill(process.pid, 'SIGKILL');
if (fault === 'hang') for (;;);
await setTimeout(100); // the work

// On failure the exit code is 1, and the parent knows that the count may be missing.
await telemetry.goodbye();
process.exit();
