import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

type Serving = {
  pid: number;
  /** Milliseconds from the start to the first answer. */
  ms: number;
  stop: () => Promise<void>;
};

/** Starts a file with this Node and waits until `url` answers. */
export async function serve(file: string, env: Record<string, string>, url: string): Promise<Serving> {
  const since = performance.now();
  // Uses the memory options of `npm start`.
  const child = spawn(process.execPath, ['--max-semi-space-size=4', file], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', MALLOC_ARENA_MAX: '2', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  endsWithUs(child);
  const answers = () =>
    fetch(url).then(
      (reply) => reply.ok,
      () => false,
    );
  const deadline = since + 60_000;
  while (child.exitCode === null && performance.now() < deadline) {
    if (await answers()) {
      const stop = async () => {
        child.kill('SIGTERM');
        await ended;
      };
      return { pid: child.pid as number, ms: performance.now() - since, stop };
    }
    await sleep(20);
  }
  child.kill('SIGKILL');
  throw new Error(`${file} did not answer at ${url}`);
}

/** Runs a file to completion and shows its progress. */
export function run(file: string, args: string[], env: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...args], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    endsWithUs(child);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${file} ended with ${code}`))));
  });
}

function endsWithUs(child: ChildProcess): void {
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}
