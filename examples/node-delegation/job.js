// A job without telemetry: it tells its parent what it has done.
import process from 'node:process';

const report = (message) => new Promise((sent) => process.send(message, sent));

for (let batch = 1; batch <= 3; batch++) {
  // ... the work ...
  await report({ rows: 100 });
  if (process.argv[2] === 'crash' && batch === 2) process.kill(process.pid, 'SIGKILL');
}
process.disconnect();
