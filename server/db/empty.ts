import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';

const ROOT = join(import.meta.dirname, '../..');
const MAKE = join(ROOT, 'server/db/make-empty.ts');
const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
/** The files of a database without tables, as PGlite makes them: a release brings them, a checkout makes them once. */
const PACKED = join(ROOT, `dist/pglite-${dependencies['@electric-sql/pglite']}.zip`);

/** Packs the files of a database without tables, if that has not been done, and returns where; undefined where it cannot be done. */
export function packEmpty(): string | undefined {
  // In a process of its own, since making them takes a gigabyte of memory for a moment. Where it fails, who opens one says why.
  if (!existsSync(PACKED) && existsSync(MAKE)) spawnSync(process.execPath, [MAKE, PACKED], { stdio: 'ignore' });
  return existsSync(PACKED) ? PACKED : undefined;
}

/** Puts a database without tables into `folder`, unless something is there; PGlite makes what is missing by itself. */
export function layEmpty(folder: string): void {
  if (existsSync(folder)) return;
  const packed = packEmpty();
  if (!packed) return;
  const draft = `${folder}.tmp`;
  rmSync(draft, { recursive: true, force: true });
  for (const [name, content] of Object.entries(unzipSync(readFileSync(packed)))) {
    const path = join(draft, name);
    mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true, mode: 0o700 });
    if (!name.endsWith('/')) writeFileSync(path, content, { mode: 0o600 });
  }
  // Whole or not at all, whenever the process is killed.
  renameSync(draft, folder);
}
