// A web server on node:cluster. Each slot keeps its name over restarts; each
// life in it has an incarnation of its own.
import cluster from 'node:cluster';
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { hostname } from 'node:os';
import process from 'node:process';
import { reportDeath } from '../lib/supervisor.js';
import { startWorker } from '../lib/worker.js';

const port = Number(process.env.PORT ?? 8080);
const slots = Number(process.env.WORKERS ?? 4);

if (cluster.isPrimary) primary();
else await worker();

function primary() {
  let stopping = false;

  const fork = (slot) => {
    const id = `${hostname()}/web-${slot}`;
    const incarnation = randomUUID();
    cluster.fork({ WORKER_ID: id, WORKER_INCARNATION: incarnation }).once('exit', (code, signal) => {
      console.log(`${id} ended: ${signal ?? code}`);
      // The replacement need not wait for the answer: the report speaks of the old life only.
      reportDeath(id, incarnation, signal ?? `exit ${code}`).catch(console.error);
      if (!stopping) fork(slot);
    });
  };

  for (let slot = 1; slot <= slots; slot++) fork(slot);
  process.once('SIGTERM', () => {
    stopping = true;
    for (const child of Object.values(cluster.workers)) child.process.kill('SIGTERM');
  });
}

async function worker() {
  const { WORKER_ID: id, WORKER_INCARNATION: incarnation } = process.env;
  const telemetry = await startWorker({ service: 'web', id, incarnation });
  const requests = telemetry.meter.createCounter('web.requests', { unit: '{request}' });

  const server = http.createServer((_request, response) => {
    requests.add(1);
    response.setHeader('connection', 'close');
    response.end(`${JSON.stringify({ id, pid: process.pid })}\n`);
  });
  server.listen(port, 'localhost');

  process.once('SIGTERM', () => {
    // Count what is under way, then say goodbye.
    server.close(async () => {
      await telemetry.goodbye().catch(console.error);
      process.exit();
    });
  });
}
