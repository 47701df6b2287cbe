import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWebIfStale } from '../server/kit/build-web.ts';
import { query, startPostgres, withDatabase } from '../test/postgres.ts';
import { startServer } from './server.ts';

/**
 * Once before the browser tests: builds the screens, so that no two servers build the same folder at the same time,
 * and makes the database that every server gets a copy of.
 */
export default async function setup(): Promise<() => Promise<void>> {
  buildWebIfStale();
  const folder = mkdtempSync(join(tmpdir(), 'enruta-e2e-'));
  process.env.E2E_COMPILED = join(folder, 'compiled');
  const postgres = await startPostgres({ max_connections: '200' });
  await query(postgres.url, 'CREATE DATABASE enruta_e2e');
  const template = withDatabase(postgres.url, 'enruta_e2e');
  const { stop } = await startServer({ DATABASE_URL: template });
  await stop('SIGTERM');
  process.env.E2E_TEMPLATE = template;
  return async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
