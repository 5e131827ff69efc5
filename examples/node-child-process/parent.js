// Starts short jobs as processes. Each pushes for itself, and says goodbye.
//
//   node parent.js COUNT [FAULT]
//
// With FAULT (crash, hang) the last job ends badly.
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import process from 'node:process';
import { reportDeath } from '../lib/supervisor.js';

const timeoutMillis = Number(process.env.JOB_TIMEOUT ?? 60_000);

async function runJob(fault) {
  const id = randomUUID();
  const incarnation = randomUUID();
  const job = fork(new URL('job.js', import.meta.url), {
    env: { ...process.env, WORKER_ID: id, WORKER_INCARNATION: incarnation, FAULT: fault },
    timeout: timeoutMillis,
    killSignal: 'SIGKILL',
  });
  const [code, signal] = await once(job, 'exit');
  console.log(JSON.stringify({ id, pid: job.pid, code, signal }));
  // Exit code 0: the goodbye was acknowledged, there is nothing to report.
  if (code !== 0) await reportDeath(id, incarnation, signal ?? `exit ${code}`);
}

const [count = '1', fault = ''] = process.argv.slice(2);
for (let i = 1; i <= Number(count); i++) await runJob(i === Number(count) ? fault : '');
