// Keeps a number of threads at work: replaces those that die, and reports them.
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { Worker } from 'node:worker_threads';
import { reportDeath } from '../lib/supervisor.js';

/** Emits 'start', 'done' and 'death', each with a description of what happened. */
export class Pool extends EventEmitter {
  #threads = new Set();
  #next = 0;
  #stopping = false;

  constructor(size) {
    super();
    for (let i = 0; i < size; i++) this.#start();
  }

  /** Hands a job to the next thread, and returns the thread's id. */
  run(job) {
    const thread = this.#turn();
    thread.worker.postMessage(job);
    return thread.id;
  }

  /** Ends the next thread from outside, in the middle of whatever it does. */
  terminate() {
    const thread = this.#turn();
    thread.worker.terminate();
    return thread.id;
  }

  /** Asks all threads to return, and ends those that do not within the grace period. */
  async stop(graceMillis = 10_000) {
    this.#stopping = true;
    await Promise.all(
      [...this.#threads].map(async ({ worker, dead }) => {
        worker.postMessage({ kind: 'return' });
        const timer = setTimeout(() => worker.terminate(), graceMillis);
        await dead;
        clearTimeout(timer);
      }),
    );
  }

  #turn() {
    return [...this.#threads][this.#next++ % this.#threads.size];
  }

  #start() {
    const id = randomUUID();
    const incarnation = randomUUID();
    const worker = new Worker(new URL('thread.js', import.meta.url), {
      workerData: { id, incarnation },
      resourceLimits: { maxOldGenerationSizeMb: 64 },
    });
    const thread = { id, worker };
    this.#threads.add(thread);
    worker.on('message', (message) => this.emit(message.event, { id, ...message }));
    // Uncaught exceptions, ERR_WORKER_OUT_OF_MEMORY among them; 'exit' follows.
    let cause;
    worker.on('error', (error) => (cause = error.code ?? error.message));

    thread.dead = new Promise((resolve) => {
      worker.once('exit', async (code) => {
        this.#threads.delete(thread);
        // Also if it has said goodbye: then this changes nothing.
        const report = reportDeath(id, incarnation, cause ?? `exit ${code}`).catch(console.error);
        if (!this.#stopping) this.#start();
        await report;
        this.emit('death', { event: 'death', id, code, cause });
        resolve();
      });
    });
  }
}
