import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import { dirname } from 'node:path';
import { backupFailure } from './failure.ts';
import type { Advance } from './progress.ts';

type Outcome<T> = { done: T } | { problem: string };
type Said<T> = { step: Parameters<Advance> } | Outcome<T>;

/** Runs `file` in a child process, so that the memory is freed. Throws a Spanish clause if the process is killed. */
export async function runWorker<T>(file: URL, work: object, advance: Advance): Promise<Outcome<T>> {
  const child = fork(file, { serialization: 'advanced', execArgv: [] });
  const ended = new AbortController();
  child.once('exit', (code, signal) =>
    ended.abort(new Error(`su proceso se ha cortado (${signal ?? code ?? '?'}), quizá por falta de memoria`)),
  );
  try {
    child.send(work);
    for await (const [message] of on(child, 'message', { signal: ended.signal }) as AsyncIterable<[Said<T>]>) {
      if (!('step' in message)) return message;
      advance(...message.step);
    }
    throw new Error('the worker said nothing');
  } catch (error) {
    throw ended.signal.aborted ? ended.signal.reason : error;
  } finally {
    child.kill('SIGKILL');
  }
}

/** Body of a worker: runs `work` on the backup at `path`, and reports progress and outcome. */
export async function workFor<G extends { path: string }>(work: (input: G, advance: Advance) => Promise<unknown>): Promise<void> {
  // Ignores errors: the parent may have ended, and the disconnect ends this process too.
  const post = (message: Said<unknown>) => void process.send?.(message, undefined, undefined, () => {});
  // Ends with the main process, even if the main process is killed; ignores signals sent to the whole process group.
  process.once('disconnect', () => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
  const [input] = (await once(process, 'message')) as [G];
  await work(input, (...step) => post({ step })).then(
    (done) => post({ done }),
    (error: unknown) => post({ problem: backupFailure(error, dirname(input.path)) }),
  );
}
