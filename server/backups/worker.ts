import { on } from 'node:events';
import { dirname } from 'node:path';
import { parentPort, Worker } from 'node:worker_threads';
import { failureOf } from './failure.ts';
import type { Advance } from './progress.ts';

/** How the work of a worker ended; `problem` is a Spanish sentence. */
type Outcome<T> = { done: T } | { problem: string };
type Said<T> = { step: Parameters<Advance> } | Outcome<T>;

/** Runs the worker in `file`, so that requests do not wait. */
export async function runWorker<T>(file: URL, workerData: object, advance: Advance): Promise<Outcome<T>> {
  const worker = new Worker(file, { workerData });
  try {
    // Also throws when the worker fails.
    for await (const [said] of on(worker, 'message') as AsyncIterable<[Said<T>]>) {
      if (!('step' in said)) return said;
      advance(...said.step);
    }
    throw new Error('the worker said nothing');
  } finally {
    await worker.terminate();
  }
}

/** The body of a worker: does `work` on the backup at `path`, says how far it is, and how it ended. */
export async function workFor(path: string, work: (advance: Advance) => Promise<unknown>): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('runs only as a worker');
  await work((...step) => port.postMessage({ step })).then(
    (done) => port.postMessage({ done }),
    (error: unknown) => port.postMessage({ problem: failureOf(error, dirname(path)) }),
  );
}
