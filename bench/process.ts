import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Starts a file with this Node, waits until it answers at `url`, and returns a function that stops it. */
export async function serve(file: string, env: Record<string, string>, url: string): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [file], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  for (let i = 0; i < 600; i += 1) {
    if (
      await fetch(url).then(
        (r) => r.ok,
        () => false,
      )
    ) {
      return async () => {
        child.kill('SIGTERM');
        await ended;
      };
    }
    if (child.exitCode !== null) break;
    await sleep(100);
  }
  child.kill('SIGKILL');
  throw new Error(`${file} did not answer at ${url}`);
}

/** Runs a file to completion, letting it say how far it is. */
export function run(file: string, args: string[], env: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...args], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${file} ended with ${code}`))));
  });
}
