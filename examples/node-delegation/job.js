// A job without telemetry: it tells its parent what it has done.
import process from 'node:process';

for (let batch = 0; batch < 3; batch++) {
  // ... the work ...
  process.send({ rows: 100 });
}
process.disconnect();
