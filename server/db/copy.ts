import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const LOG = 'pg_wal';
/** Files copied at a time: half of the threads that also hash passwords and look up names. */
const AT_ONCE = 2;

/** What PostgreSQL says of a backup that has ended: the label a copy is opened with, and the segments of the log it needs, by name. */
export type Ended = { label: string; first: string; last: string };

/**
 * Copies the folder `from` of an embedded database to `to` while it is written to. `during` runs a copying between the start and the
 * end of one of PostgreSQL's own backups, whose log makes good, once the copy is opened, what changed meanwhile
 * (its manual, «Making a Base Backup Using the Low Level API»).
 */
export async function copyWhileInUse(from: string, to: string, during: (copying: () => Promise<void>) => Promise<Ended>): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true, mode: 0o700 });
  const inLog = (name: string) => dirname(name) === LOG;
  const { label, first, last } = await during(() => copyTree(from, to, (name) => !inLog(name)));
  await copyTree(from, to, (name) => inLog(name) && basename(name) >= first && basename(name) <= last);
  await writeFile(join(to, 'backup_label'), label, { mode: 0o600 });
}

/** Copies the files for which `wanted` says so, named relative to `from`, and all folders. */
async function copyTree(from: string, to: string, wanted: (name: string) => boolean): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const nameOf = (entry: (typeof entries)[number]) => join(entry.parentPath, entry.name).slice(from.length + 1);
  for (const entry of entries) if (entry.isDirectory()) await mkdir(join(to, nameOf(entry)), { recursive: true, mode: 0o700 });
  const waiting = entries
    .filter((entry) => entry.isFile())
    .map(nameOf)
    .filter(wanted)
    .values();
  const copyNext = async () => {
    for (const name of waiting) await copyFile(join(from, name), join(to, name), constants.COPYFILE_FICLONE).catch(unlessGone);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, copyNext));
}

// The database in use removes files, and may have done so since they were listed.
function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
