import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnv } from '../test/child-env.ts';
import { freePort } from '../test/free-port.ts';
import { copyOf, query } from '../test/postgres.ts';
import { ready, until } from '../test/until.ts';
import { writeNextVersion } from './next-version.ts';

export const SUPERADMIN = { email: 'admin@enruta.test', password: 'una clave de pruebas' };

/** A running server. `stop` kills the process; with SIGTERM or in a host, the server shuts down cleanly. */
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
const HOST = join(import.meta.dirname, 'host.ts');
const QUICK_PASSWORDS = join(import.meta.dirname, 'quick-passwords.ts');
const OTHER_WEB = join(import.meta.dirname, 'other-web.ts');

/**
 * Starts the program on a free port and waits until it answers. Its database is a copy of the template, if any. The program runs
 * in the process of `host` until its first update, or else in a separate process.
 */
export async function startServer(more: Record<string, string> = {}, host?: Host): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'enruta-e2e-'));
  // Made by setup.ts: a migrated database with one superadmin.
  const { E2E_TEMPLATE } = process.env;
  const database = E2E_TEMPLATE ? await copyOf(E2E_TEMPLATE) : undefined;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    ...(database ? { DATABASE_URL: database.url } : {}),
    SECRET_KEY,
    // Allows webhooks to private addresses, because the tests' receivers listen on this machine.
    WEBHOOKS_PRIVATE: '1',
    SUPERADMIN_EMAIL: SUPERADMIN.email,
    SUPERADMIN_PASSWORD: SUPERADMIN.password,
    ...more,
    PUBLIC_URL: url,
  };
  let running = host ? await host.run(env).catch(withoutDatabase) : await spawnProgram(env, url).catch(withoutDatabase);
  async function withoutDatabase(cause: unknown): Promise<never> {
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
    throw cause;
  }
  let before = '';
  const stop = async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGKILL') => {
    await running.stop(signal);
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  };
  const update = async () => {
    const web = join(folder, 'web');
    writeNextVersion(web);
    await running.kill();
    before += running.log();
    running = await spawnProgram({ ...env, E2E_WEB: web }, url, [OTHER_WEB]);
  };
  const sql = async (text: string) => {
    if (!database) throw new Error('only where setup.ts has run');
    await query(database.url, text);
  };
  return { url, log: () => before + running.log(), earnedLastMonth: () => sql(EARNED_LAST_MONTH), sql, update, stop };
}

/** A running program. `stop` shuts it down, and `kill` kills its process. */
type Running = { log: () => string; stop: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>; kill: () => Promise<void> };

// The caller's DATABASE_URL and other variables must not reach the server.
function serverEnv(env: Record<string, string> = {}): Record<string, string> {
  const { HOME, TZ } = process.env;
  return { ...childEnv(), ...(HOME ? { HOME } : {}), ...(TZ ? { TZ } : {}), ...env };
}

/** Runs the program in a separate process, with `preloaded` modules, and waits until it answers. */
async function spawnProgram(env: Record<string, string>, url: string, preloaded: string[] = []): Promise<Running> {
  const imports = [QUICK_PASSWORDS, ...preloaded].flatMap((module) => ['--import', module]);
  const child = spawn(process.execPath, [...imports, 'server/main.ts'], { env: serverEnv(env), stdio: ['ignore', 'pipe', 'pipe'] });
  const log = outputOf(child);
  const stop = endWithParent(child);
  await until(
    () => child.exitCode !== null || ready(url),
    () => '',
  );
  if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${log()}`);
  return { log, stop, kill: () => stop('SIGKILL') };
}

/** A process that runs the program for one test file after another. */
export type Host = { run: (env: Record<string, string>) => Promise<Running>; end: () => Promise<void> };

/** Returns a host that starts its process at the first run, and again at the first run after a kill. */
export function createHost(): Host {
  let host: { child: ChildProcess; log: () => string; end: (signal: NodeJS.Signals) => Promise<void> } | undefined;
  const end = async () => {
    await host?.end('SIGKILL');
    host = undefined;
  };
  const run = async (env: Record<string, string>) => {
    if (!host) {
      const child = fork(HOST, { execArgv: ['--import', QUICK_PASSWORDS], env: serverEnv(), stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
      host = { child, log: outputOf(child), end: endWithParent(child) };
    }
    const { child, log } = host;
    const from = log().length;
    await order(child, env, log);
    return { log: () => log().slice(from), stop: () => order(child, 'stop', log), kill: end };
  };
  return { run, end };
}

/** Sends a message to a host and waits for the answer. Throws with the output if the host refuses or ends. */
async function order(child: ChildProcess, message: Record<string, string> | 'stop', log: () => string): Promise<void> {
  const failed = await new Promise<string | undefined>((resolve) => {
    const ended = () => resolve('its process has ended');
    child.once('exit', ended);
    child.once('message', (answer: { failed?: string }) => {
      child.off('exit', ended);
      resolve(answer.failed);
    });
    child.send(message, (error) => error && ended());
  });
  if (failed) throw new Error(`The server of the tests: ${failed}\n${log()}`);
}

function outputOf(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  return () => output;
}

/** Kills the child when this process exits; returns a function that ends the child earlier. */
function endWithParent(child: ChildProcess): (signal: NodeJS.Signals) => Promise<void> {
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  return async (signal) => {
    process.off('exit', kill);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
}

// Only a month that has ended can be closed.
const EARNED_LAST_MONTH = `
  ALTER TABLE ganancias DISABLE TRIGGER USER;
  UPDATE ganancias SET dia = date_trunc('month', dia)::date - 1 WHERE liquidacion_id IS NULL AND dia = dia_negocio(now());
  ALTER TABLE ganancias ENABLE TRIGGER USER`;
