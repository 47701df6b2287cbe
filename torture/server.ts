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
  /** End of the process's output. */
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

/** A user of the system. */
export type Account = { uid: number; gid: number };

/**
 * Runs `npm run enruta -- …` with these variables; returns exit code and output. `shell`: the argument is a shell line, in which `enruta`
 * is the command.
 */
export function runCommand(
  env: Record<string, string>,
  args: readonly string[],
  as?: Account,
  { shell = false, during }: { shell?: boolean; during?: (child: ChildProcess) => Promise<void> } = {},
): Promise<{ code: number | null; output: string }> {
  const enruta = [process.execPath, 'server/enruta.ts'];
  const [command = '', ...rest] = shell ? ['sh', '-c', `enruta() { ${enruta.join(' ')} "$@"; }; ${args.join(' ')}`] : [...enruta, ...args];
  const child = spawn(command, rest, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...as,
  });
  void during?.(child);
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) =>
    child.once('close', (code) => {
      running.delete(child);
      resolve({ code, output });
    }),
  );
}

/** Starts `node server/main.ts`. `slowPasswords`: hashes passwords at their real cost. */
export async function startInstance(
  env: Record<string, string>,
  { slowPasswords = false, as }: { slowPasswords?: boolean; as?: Account } = {},
): Promise<Instance> {
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
    ...as,
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
        // The program prints its address only once its jobs run.
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
