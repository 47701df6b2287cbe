import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import { dirname } from 'node:path';
import { failureOf } from './failure.ts';
import type { Advance } from './progress.ts';

/** How the work ended; `problem` is a Spanish sentence. */
type Outcome<T> = { done: T } | { problem: string };
type Said<T> = { step: Parameters<Advance> } | Outcome<T>;

/**
 * Runs `file` in a process of its own, which is given `work`: requests do not wait for it, and the memory that it takes, as much
 * as the program's own, is given back. Throws, with a clause in Spanish, when it is killed.
 */
export async function runWorker<T>(file: URL, work: object, advance: Advance): Promise<Outcome<T>> {
  const child = fork(file, { serialization: 'advanced', execArgv: [] });
  const ended = new AbortController();
  child.once('exit', (code, signal) => ended.abort(new Error(`su proceso se ha cortado (${signal ?? code}), quizá por falta de memoria`)));
  try {
    child.send(work);
    for await (const [said] of on(child, 'message', { signal: ended.signal }) as AsyncIterable<[Said<T>]>) {
      if (!('step' in said)) return said;
      advance(...said.step);
    }
    throw new Error('the worker said nothing');
  } catch (error) {
    throw ended.signal.aborted ? ended.signal.reason : error;
  } finally {
    child.kill('SIGKILL');
  }
}

/** The body of a worker: does `work` on the backup at `path`, says how far it is, and how it ended. */
export async function workFor<G extends { path: string }>(work: (given: G, advance: Advance) => Promise<unknown>): Promise<void> {
  // To a program that has just ended nothing can be said; the disconnect that follows ends this too.
  const say = (said: Said<unknown>) => void process.send?.(said, undefined, undefined, () => {});
  // Ends with the program, however that ends, and not before it.
  process.once('disconnect', () => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
  const [given] = (await once(process, 'message')) as [G];
  await work(given, (...step) => say({ step })).then(
    (done) => say({ done }),
    (error: unknown) => say({ problem: failureOf(error, dirname(given.path)) }),
  );
}
