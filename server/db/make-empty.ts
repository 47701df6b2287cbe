import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { zipSync } from 'fflate';

/* `node server/db/make-empty.ts file`: packs the files of a database without tables (see empty.ts). */
const [file = ''] = process.argv.slice(2);
mkdirSync(dirname(file), { recursive: true });
const folder = mkdtempSync(join(dirname(file), 'pglite-'));
try {
  const data = join(folder, 'data');
  const database = await PGlite.create(data);
  await database.close();
  const entries = readdirSync(data, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const name = relative(data, path);
    return entry.isDirectory() ? ([`${name}/`, new Uint8Array()] as const) : ([name, readFileSync(path)] as const);
  });
  writeFileSync(join(folder, 'packed'), zipSync(Object.fromEntries(entries)));
  renameSync(join(folder, 'packed'), file);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
