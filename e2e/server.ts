import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../test/free-port.ts';
import { ready, until } from '../test/until.ts';

export const SUPERADMIN = { email: 'admin@enruta.test', password: 'una clave de pruebas' };

export type Server = { url: string; log: () => string; stop: () => Promise<void> };

/** Starts the product as a person would, on a free port with a folder of its own, and waits until it is ready. */
export async function startServer(env: Record<string, string> = {}): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'enruta-e2e-'));
  const dataDir = join(folder, 'data');
  // Made by setup.ts: migrated, and empty but for the superadmin.
  const template = process.env.E2E_TEMPLATE;
  if (template) cpSync(template, dataDir, { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // DATABASE_URL and the like of whoever runs the tests must not reach the server.
  const { PATH, HOME, TZ } = process.env;
  const child = spawn(process.execPath, ['server/main.ts'], {
    env: {
      ...Object.fromEntries(Object.entries({ PATH, HOME, TZ }).filter(([, value]) => value !== undefined)),
      PORT: String(port),
      DATA_DIR: dataDir,
      SUPERADMIN_EMAIL: SUPERADMIN.email,
      SUPERADMIN_PASSWORD: SUPERADMIN.password,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += chunk));
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async () => {
    await end(child);
    process.off('exit', kill);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await until(
      () => child.exitCode !== null || ready(url),
      () => '',
    );
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
  } catch (cause) {
    await stop();
    throw new Error(`The server did not become ready:\n${log}`, { cause });
  }
  return { url, log: () => log, stop };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  // An open event stream may hold the draining; the data is thrown away anyway.
  const timer = setTimeout(() => child.kill('SIGKILL'), 3_000);
  await ended;
  clearTimeout(timer);
}
