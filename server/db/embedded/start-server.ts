import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../../log/log.ts';
import { isStarting } from '../wait-for-database.ts';
import type { Binaries } from './binaries.ts';
import { LOG_SETTINGS, relayLog } from './relay-log.ts';
import { BUSY, SUPERVISOR } from './supervisor.ts';

export type Listening = { sockets: string } | { port: number };

export type ServerOptions = {
  binaries: Binaries;
  folder: string;
  listening: Listening;
  url: string;
  settings: Record<string, string | number>;
  /** Seconds to wait for another PostgreSQL to release the folder. */
  patience?: number;
  log: Log;
};

/** `ended` resolves when the server ends for any reason. */
export type Server = { ended: Promise<void>; stop: () => Promise<void> };

const LOOK_MS = 20;
/** Milliseconds after which a slow start is logged. */
const SLOW_MS = 5000;

/** Starts PostgreSQL on `folder` and waits until it answers. The server ends with this process. Throws a Spanish sentence on failure. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const child = launch(options);
  const lastLines = relayLog(child.stderr, options.log);
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    for (const event of ['exit', 'error']) child.once(event, () => resolve());
  });
  // If the supervisor was killed, the closed pipe stops the server.
  void ended.then(() => {
    hasEnded = true;
    child.stdin.destroy();
  });
  const stop = async () => {
    child.ref();
    child.stdin.end();
    await ended;
  };
  // Lets this process exit; the closed pipe then stops the server.
  for (const handle of [child, child.stdin, child.stdout, child.stderr]) (handle as ChildProcess).unref();
  let isLocked = process.platform === 'win32';
  child.stdout?.once('data', () => (isLocked = true));
  const since = Date.now();
  let isTold = false;
  while (!(isLocked && (await answers(options.url)))) {
    if (hasEnded) throw new Error(problemOf(child.exitCode, lastLines(), options.folder));
    if (!isTold && Date.now() - since >= SLOW_MS) {
      isTold = true;
      options.log.warn('PostgreSQL se está recuperando, o espera a que acabe el anterior: espero a que esté listo');
    }
    await wait(LOOK_MS);
  }
  return { ended, stop };
}

function launch({ binaries, folder, listening, settings, patience = 300 }: ServerOptions) {
  const sockets = 'sockets' in listening ? listening.sockets : '';
  const where =
    'port' in listening
      ? { listen_addresses: '127.0.0.1', port: listening.port, unix_socket_directories: '' }
      : // Quoted, because the setting is a list and the path may contain commas.
        { listen_addresses: '', unix_socket_directories: `"${sockets.replaceAll('"', '""')}"`, unix_socket_permissions: '0700' };
  const all = { ...settings, ...LOG_SETTINGS, ...where };
  const command = [...binaries.postgres, '-D', folder, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const stdio = ['pipe', 'pipe', 'pipe'] as const;
  if (process.platform === 'win32') return spawn(command[0] ?? '', command.slice(1), { stdio: [...stdio] });
  // Runs in its own session, so that Ctrl+C reaches only the program, which then stops PostgreSQL.
  const env = { PATH: process.env.PATH, LC_ALL: 'C', DATA: folder, SOCKETS: sockets, PATIENCE: String(patience) };
  return spawn('sh', ['-c', SUPERVISOR, 'enruta-postgres', ...command], { env, stdio: [...stdio], detached: true });
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (isStarting(error)) return false;
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

function problemOf(status: number | null, lines: string[], folder: string): string {
  if (status === BUSY) return `La base de datos de ${folder} la sigue usando otro PostgreSQL, que no acaba: espera a que termine o páralo.`;
  // Skips connections refused during the start, which do not explain the failure.
  const reason =
    lines.filter((line) => /FATAL|PANIC/.test(line) && !/the database system is/.test(line)).at(-1) ?? lines.at(-1) ?? `estado ${status}`;
  if (lines.some((line) => /No space left on device/.test(line)))
    return `El disco de ${folder} está lleno: libera sitio y vuelve a arrancar.`;
  return `La base de datos de ${folder} no arranca: ${reason.replace(/^[^:]*: [A-Z]+: {2}/, '')}`;
}
