import { buildWebIfStale } from '../server/kit/build-web.ts';
import { shareCompileCache } from '../test/child-env.ts';
import { query, startPostgres, withDatabase } from '../test/postgres.ts';
import { startServer } from './server.ts';

/**
 * Runs once before the browser tests. Builds the screens first, so that no two servers build the same folder at once. Creates the template
 * of every server's database.
 */
export default async function setup(): Promise<() => Promise<void>> {
  buildWebIfStale();
  const removeCache = shareCompileCache();
  const postgres = await startPostgres({ max_connections: '200' });
  await query(postgres.url, 'CREATE DATABASE enruta_e2e');
  const template = withDatabase(postgres.url, 'enruta_e2e');
  const { stop } = await startServer({ DATABASE_URL: template });
  await stop('SIGTERM');
  process.env.E2E_TEMPLATE = template;
  return async () => {
    await postgres.stop();
    removeCache();
  };
}
