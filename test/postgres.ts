import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { findBinaries, ownerFor } from '../server/db/embedded/binaries.ts';
import { createCluster } from '../server/db/embedded/cluster.ts';
import { startServer } from '../server/db/embedded/start-server.ts';
import { migrateDatabase, openPostgres } from '../server/db/open.ts';
import { createLog } from '../server/log/log.ts';
import { shareCompileCache } from './child-env.ts';
import { freePort } from './free-port.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a migrated database to copy, on a server that allows creating databases. */
    postgresTemplate: string;
  }
}

/**
 * Global setup of the API suite: starts a server with a migrated database that each test file copies.
 * TEST_DATABASE_URL selects an existing server instead; its user must be a superuser.
 */
export default async function setup(project: TestProject) {
  const removeCache = shareCompileCache();
  const server = process.env.TEST_DATABASE_URL ? { url: process.env.TEST_DATABASE_URL, stop: () => {} } : await startPostgres();
  const name = `enruta_test_${randomBytes(4).toString('hex')}`;
  try {
    await query(server.url, `CREATE DATABASE ${name}`);
    const template = withDatabase(server.url, name);
    const { db, close } = openPostgres(template, (error) => console.error(error), 1);
    await migrateDatabase(db);
    await close();
    project.provide('postgresTemplate', template);
  } catch (error) {
    await server.stop();
    removeCache();
    throw error;
  }
  return async () => {
    try {
      const { rows } = await query(server.url, `SELECT datname FROM pg_database WHERE starts_with(datname, '${name}')`);
      for (const { datname } of rows) await query(server.url, `DROP DATABASE ${datname} WITH (FORCE)`);
    } finally {
      await server.stop();
      removeCache();
    }
  };
}

/** Copies the template for one test file. */
export const copyOf = (template: string) => databaseFrom(template, new URL(template).pathname.slice(1));

/** Creates a database without tables on the template's server. */
export const emptyBeside = (template: string) => databaseFrom(template, 'template0');

async function databaseFrom(template: string, origin: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `${new URL(template).pathname.slice(1)}_${randomBytes(4).toString('hex')}`;
  const admin = withDatabase(template, 'postgres');
  await query(admin, `CREATE DATABASE ${name} TEMPLATE ${origin}`);
  return {
    url: withDatabase(template, name),
    drop: async () => {
      await query(admin, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** Returns the URL with another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** Runs one statement on a separate connection. */
export async function query(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}

// Trades durability for speed, because no data outlives the run.
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_connections: 100,
  shared_buffers: '64MB',
};

/**
 * Starts a throw-away PostgreSQL on a free port, from the binaries in `bin` or else the program's own;
 * `more` are extra settings. The server also stops if the run is killed.
 */
export async function startPostgres(
  more: Record<string, string> = {},
  bin = process.env.TEST_POSTGRES_BIN,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const root = mkdtempSync(join(tmpdir(), 'enruta-postgres-'));
  const remove = () => rmSync(root, { recursive: true, force: true });
  // An interrupted run never calls `stop`.
  process.once('exit', remove);
  const folder = join(root, 'data');
  const owner = ownerFor(root);
  const binaries = findBinaries(owner, root, bin);
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const [command = '', ...args] = binaries.initdb;
  const version = Number(/ (\d+)/.exec(execFileSync(command, [...args, '--version'], { encoding: 'utf8' }))?.[1]);
  // Versions before 17 lack the collation of the program's own database.
  const older = version < 17 && { locale: ['--encoding=UTF8', '--locale-provider=libc', '--locale=C.UTF-8', '--lc-messages=C'] };
  createCluster(folder, { binaries, owner, ...older, flags: ['--no-sync'] });
  const log = createLog('warn');
  const { stop } = await startServer({ binaries, folder, listening: { port }, url, settings: { ...SETTINGS, ...more }, log });
  return {
    url,
    stop: async () => {
      await stop();
      process.off('exit', remove);
      remove();
    },
  };
}
