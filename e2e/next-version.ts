import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WEB_DIST } from '../server/kit/build-web.ts';

const HASHED = /[\w.-]+-[\w-]{8}\.(?:js|css)\b/g;
/** Suffix of the file names of the next version. */
export const NEXT = '-next';

/** Copies the built screens to `folder` under other file names, as a newer build would have. */
export function writeNextVersion(folder: string): void {
  cpSync(WEB_DIST, folder, { recursive: true, filter: (path) => !/\.(?:br|gz)$/.test(path) });
  const hashed = new Set(readdirSync(join(folder, 'assets')).filter((name) => /\.(?:js|css)$/.test(name)));
  const next = (text: string) =>
    text.replace(HASHED, (name) => (hashed.has(name) ? name.replace(/\.\w+$/, (ending) => NEXT + ending) : name));
  for (const { name, parentPath } of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!/\.(?:js|css|html|json)$/.test(name)) continue;
    const path = join(parentPath, name);
    writeFileSync(path, next(readFileSync(path, 'utf8')).replace(/^\{"version":"/, `$&${NEXT}`));
    if (hashed.has(name)) renameSync(path, join(parentPath, next(name)));
  }
}
