import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWebIfStale } from '../server/kit/build-web.ts';
import { startServer } from './server.ts';

/**
 * Once before the browser tests: builds the screens, so that no two servers build the same folder at the same time,
 * and makes the data folder that every server starts from a copy of, which takes half of making one anew.
 */
export default async function setup(): Promise<() => void> {
  buildWebIfStale();
  const folder = mkdtempSync(join(tmpdir(), 'enruta-e2e-'));
  const template = join(folder, 'data');
  process.env.E2E_COMPILED = join(folder, 'compiled');
  const { stop } = await startServer({ DATA_DIR: template });
  await stop('SIGTERM');
  process.env.E2E_TEMPLATE = template;
  return () => rmSync(folder, { recursive: true, force: true });
}
