import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { SUPERADMIN } from '../e2e/server.ts';
import { freePort } from '../test/free-port.ts';
import { ready, until } from '../test/until.ts';

const ROOT = join(import.meta.dirname, '..');

/** A process of the real server. */
export type Instance = {
  url: string;
  child: ChildProcess;
  /** End of its output. */
  log: () => string;
  /** Exit code, or the signal that ended the process. */
  ended: Promise<number | string | null>;
  /** Waits until `/readyz` answers. Throws with the output if the process ends instead. */
  ready: () => Promise<void>;
  stop: (signal?: NodeJS.Signals) => Promise<number | string | null>;
};

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Runs `npm run enruta -- …` with these variables; its exit code and what it printed. */
export function runCommand(env: Record<string, string>, args: readonly string[]): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ['server/enruta.ts', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  return new Promise((resolve) =>
    child.once('close', (code) => {
      running.delete(child);
      resolve({ code, said });
    }),
  );
}

/** Starts `node server/main.ts`. With `slowPasswords` they are hashed at their real cost. */
export async function startInstance(env: Record<string, string>, { slowPasswords = false } = {}): Promise<Instance> {
  const port = env.PORT ?? String(await freePort());
  const quick = slowPasswords ? [] : ['--import', join(ROOT, 'e2e/quick-passwords.ts')];
  const child = spawn(process.execPath, [...quick, 'server/main.ts', '--dev'], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      PORT: port,
      LOG_LEVEL: 'error',
      SUPERADMIN_EMAIL: SUPERADMIN.email,
      SUPERADMIN_PASSWORD: SUPERADMIN.password,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output = (output + chunk).slice(-20_000)));
  const ended = new Promise<number | string | null>((resolve) =>
    child.once('exit', (code, signal) => {
      running.delete(child);
      resolve(code ?? signal);
    }),
  );
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    child,
    log: () => output,
    ended,
    ready: async () => {
      await until(
        // The program prints its address once its jobs run too.
        () => child.exitCode !== null || child.signalCode !== null || (output.includes('Enruta escucha') && ready(url)),
        () => `not ready: ${output}`,
      );
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The server ended: ${output}`);
    },
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}
