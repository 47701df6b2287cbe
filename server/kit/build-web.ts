import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
/** Where the build leaves the web app. */
export const WEB_DIST = join(ROOT, 'dist/web');
const SOURCES = ['web', 'contract', 'vite.config.ts', 'package-lock.json'];
const STAMP = join(WEB_DIST, '.built');

/** Builds the web app if a source is newer than the last build. */
export async function buildWebIfStale(): Promise<void> {
  // Read once: another process may be building at the same time.
  const built = statSync(STAMP, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (SOURCES.every((source) => newest(join(ROOT, source)) <= built)) return;
  console.log('Construyendo la parte web…');
  rmSync(STAMP, { force: true });
  const { build } = await import('vite');
  await build({ root: join(ROOT, 'web'), configFile: join(ROOT, 'vite.config.ts'), logLevel: 'error' });
  writeFileSync(STAMP, '');
}

function newest(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}
