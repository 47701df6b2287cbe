import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Room for clocks of file systems, which may tick every two seconds. */
const TICK_MS = 2000;
const LOG = 'pg_wal';
/** Files copied at a time: half of the threads that also hash passwords and look up names. */
const AT_ONCE = 2;

/** First and last segment of the log that a database needs to be opened, by name. */
export type Segments = { first: string; last: string };

/**
 * Copies the folder `from` of an embedded database to `to`, as it is while `hold` keeps it from changing: everything is copied
 * before that, and in it once more only what has changed meanwhile.
 */
export async function copyWhileInUse(
  from: string,
  to: string,
  hold: (work: (needed: Segments) => Promise<void>) => Promise<void>,
): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true, mode: 0o700 });
  const begun = Date.now() - TICK_MS;
  const copied = new Set<string>();
  // Of the log, a gigabyte after much work, hardly anything is needed.
  await copyTree(from, to, async (name) => dirname(name) !== LOG && copied.add(name));
  await hold(async ({ first, last }) => {
    const there = await copyTree(from, to, async (name) => {
      if (dirname(name) === LOG) return basename(name) >= first && basename(name) <= last;
      // A renamed file keeps the time of its content, not that of its entry.
      return !copied.has(name) || (await stat(join(from, name))).ctimeMs >= begun;
    });
    for (const name of copied) if (!there.has(name)) await rm(join(to, name), { force: true });
  });
}

/** Copies the files for which `wanted` says so; returns the names of all, relative to `from`. */
async function copyTree(from: string, to: string, wanted: (name: string) => Promise<unknown>): Promise<Set<string>> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const nameOf = (entry: (typeof entries)[number]) => join(entry.parentPath, entry.name).slice(from.length + 1);
  for (const entry of entries) if (entry.isDirectory()) await mkdir(join(to, nameOf(entry)), { recursive: true, mode: 0o700 });
  const names = entries.filter((entry) => entry.isFile()).map(nameOf);
  const waiting = names.values();
  const copyNext = async () => {
    for (const name of waiting) {
      if (await wanted(name)) await copyFile(join(from, name), join(to, name), constants.COPYFILE_FICLONE).catch(unlessGone);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, copyNext));
  return new Set(names);
}

// The database in use removes files, and may have done so since they were listed.
function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
