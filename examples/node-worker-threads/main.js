// Reads jobs from standard input, one a line, and prints what happens:
//
//   work | block 5000 | return | throw | exit | oom | terminate | stop
//
// Standard input's end is `stop`.
import process from 'node:process';
import { createInterface } from 'node:readline';
import { Pool } from './pool.js';

const pool = new Pool(Number(process.env.WORKERS ?? 2));
const print = (what) => console.log(JSON.stringify(what));
for (const event of ['start', 'done', 'death']) pool.on(event, print);

for await (const line of createInterface({ input: process.stdin })) {
  const [kind, ms] = line.trim().split(' ');
  if (kind === 'stop') break;
  const id = kind === 'terminate' ? pool.terminate() : pool.run({ kind, ms: Number(ms) });
  print({ event: 'given', id, kind });
}
await pool.stop();
process.exit(); // standard input may still be open
