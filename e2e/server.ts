import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnv } from '../test/child-env.ts';
import { freePort } from '../test/free-port.ts';
import { copyOf, query } from '../test/postgres.ts';
import { ready, until } from '../test/until.ts';
import { writeNextVersion } from './next-version.ts';

export const SUPERADMIN = { email: 'admin@enruta.test', password: 'una clave de pruebas' };

/** A running server. `stop` kills the process; with SIGTERM, the server shuts down cleanly. */
export type Server = {
  url: string;
  log: () => string;
  /** Moves today's earnings to the last day of last month, so that the month can be closed. */
  earnedLastMonth: () => Promise<void>;
  /** Runs SQL on the server's database. */
  sql: (text: string) => Promise<void>;
  /** Kills the server, and starts the next version of the program at the same address with the same data. */
  update: () => Promise<void>;
  stop: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<void>;
};

const SECRET_KEY = 'only for the tests: thirty-two characters';
const QUICK_PASSWORDS = join(import.meta.dirname, 'quick-passwords.ts');
const OTHER_WEB = join(import.meta.dirname, 'other-web.ts');

/** Starts the program on a free port and waits until it answers. Its database is a copy of the template, if one exists. */
export async function startServer(env: Record<string, string> = {}): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'enruta-e2e-'));
  const dataDir = join(folder, 'data');
  // Made by setup.ts: a migrated database with one superadmin.
  const { E2E_TEMPLATE } = process.env;
  const database = E2E_TEMPLATE ? await copyOf(E2E_TEMPLATE) : undefined;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // The caller's DATABASE_URL and other variables must not reach the server.
  const { HOME, TZ } = process.env;
  let log = '';
  const start = (web?: string) => {
    const preloaded = [QUICK_PASSWORDS, ...(web ? [OTHER_WEB] : [])].flatMap((module) => ['--import', module]);
    const child = spawn(process.execPath, [...preloaded, 'server/main.ts'], {
      env: {
        ...childEnv(),
        ...Object.fromEntries(Object.entries({ HOME, TZ }).filter(([, value]) => value !== undefined)),
        ...(web ? { E2E_WEB: web } : {}),
        PORT: String(port),
        DATA_DIR: dataDir,
        ...(database ? { DATABASE_URL: database.url } : {}),
        SECRET_KEY,
        // Allows webhooks to private addresses, because the tests' receivers listen on this machine.
        WEBHOOKS_PRIVATE: '1',
        SUPERADMIN_EMAIL: SUPERADMIN.email,
        SUPERADMIN_PASSWORD: SUPERADMIN.password,
        ...env,
        PUBLIC_URL: url,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (log += chunk));
    return child;
  };
  let child = start();
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGKILL') => {
    await end(child, signal);
    process.off('exit', kill);
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  };
  const answers = async () => {
    await until(
      () => child.exitCode !== null || ready(url),
      () => '',
    );
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
  };
  try {
    await answers();
  } catch (cause) {
    await stop();
    throw new Error(`The server did not become ready:\n${log}`, { cause });
  }
  const update = async () => {
    const web = join(folder, 'web');
    writeNextVersion(web);
    await end(child, 'SIGKILL');
    child = start(web);
    await answers();
  };
  const sql = async (text: string) => {
    if (!database) throw new Error('only where setup.ts has run');
    await query(database.url, text);
  };
  return { url, log: () => log, earnedLastMonth: () => sql(EARNED_LAST_MONTH), sql, update, stop };
}

// Only a month that has ended can be closed.
const EARNED_LAST_MONTH = `
  ALTER TABLE ganancias DISABLE TRIGGER USER;
  UPDATE ganancias SET dia = date_trunc('month', dia)::date - 1 WHERE liquidacion_id IS NULL AND dia = dia_negocio(now());
  ALTER TABLE ganancias ENABLE TRIGGER USER`;

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}
