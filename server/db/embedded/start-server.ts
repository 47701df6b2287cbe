import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../../log/log.ts';
import { isStarting } from '../wait-for-database.ts';
import type { Binaries } from './binaries.ts';

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
    lines.filter((line) => /FATAL|PANIC/.test(line) && !/the database system is/.test(line)).at(-1) ??
    lines.at(-1) ??
    `estado ${status ?? '?'}`;
  if (lines.some((line) => /No space left on device/.test(line)))
    return `El disco de ${folder} está lleno: libera sitio y vuelve a arrancar.`;
  return `La base de datos de ${folder} no arranca: ${reason.replace(/^[^:]*: [A-Z]+: {2}/, '')}`;
}

/** Settings for `relayLog`: they keep row values, which are personal data, out of the log. */
const LOG_SETTINGS = {
  log_line_prefix: '%b: ',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
};

const LINE = /^(?<who>[^:]+): (?<severity>[A-Z0-9]+): {2}(?<message>.*)$/;
const LEVELS: Record<string, 'fatal' | 'error' | 'warn' | 'info' | 'debug'> = {
  PANIC: 'fatal',
  FATAL: 'error',
  ERROR: 'error',
  WARNING: 'warn',
  LOG: 'info',
};

/** Copies PostgreSQL's log into the program's; returns a function for the last 20 lines. Skips statement errors, which their callers log. */
function relayLog(stderr: Readable, log: Log): () => string[] {
  const last: string[] = [];
  createInterface(stderr).on('line', (line) => {
    last.push(line);
    if (last.length > 20) last.shift();
    const { who = 'postgres', severity = 'LOG', message = line } = LINE.exec(line)?.groups ?? {};
    const isClient = who === 'client backend' || who === 'not initialized';
    if (isClient && severity === 'ERROR') return;
    // A refused or ended session is not a server failure.
    const level = isClient && severity === 'FATAL' ? 'info' : (LEVELS[severity] ?? 'debug');
    log[level]({ postgres: who }, message);
  });
  return () => last;
}

/** Exit status if another PostgreSQL holds the folder. */
const BUSY = 75;

/**
 * Shell script that runs PostgreSQL (`"$@"`) on `$DATA` until its standard input closes, which happens however the program ends. PostgreSQL
 * and its children inherit a lock on `$DATA`; a start after a kill waits for the lock up to `$PATIENCE` seconds. Then `postmaster.pid` is
 * stale and removed, because its pid may have been reused. Prints `locked` once locked: until then, another server may have answered at
 * the address. macOS has no `flock`, and so no lock.
 */
const SUPERVISOR = `
trap '' HUP INT TERM
exec 3<&0 9<"$DATA"
if command -v flock >/dev/null; then
  flock -n 9
  if [ $? = 1 ]; then
    # Ends an orphaned PostgreSQL, whose program and supervisor were killed.
    read -r pid <"$DATA/postmaster.pid" && [ "/proc/$pid/cwd" -ef "$DATA" ] && kill -INT "$pid"
    flock -w "$PATIENCE" 9 || exit ${BUSY}
  fi
  rm -f "$DATA/postmaster.pid" "$SOCKETS"/.s.PGSQL.*
fi
echo locked
"$@" 3<&- >/dev/null &
pid=$!
# Repeats the signal, which a starting PostgreSQL can miss.
{ read -r _ <&3; while kill -INT "$pid" 2>/dev/null; do sleep 1; done; } 9<&- &
reader=$!
wait "$pid"
status=$?
kill -KILL "$reader" 2>/dev/null
exit "$status"
`;
