import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Owner } from './binaries.ts';

/*
 * The spool: PostgreSQL compresses each finished WAL segment into this folder, and the program uploads the segment to the bucket. The
 * archive command never fails, because PostgreSQL would keep segments that it cannot archive until the disk is full. A missing segment
 * breaks the chain, which starts again with a base backup.
 */

const FOLDER = 'wal';
/** File that marks a spool closed to new segments, because uploads fail. */
const FULL = 'full';
const PIECE = /^(?<name>[0-9A-F]{24}|[0-9A-F]{8}\.history)\.gz$/;

export const spoolFolder = (dataDir: string): string => join(dataDir, FOLDER);

/** True if this system has gzip and tar, which the spool and base backups need. */
export const canArchive = (): boolean =>
  process.platform !== 'win32' && ['gzip', 'tar'].every((program) => spawnSync(program, ['--version']).status === 0);

export function openSpool(dataDir: string, owner: Owner | undefined): void {
  const spool = spoolFolder(dataDir);
  mkdirSync(spool, { recursive: true, mode: 0o700 });
  if (owner && statSync(spool).uid !== owner.uid) chownSync(spool, owner.uid, owner.gid);
}

/** Deletes the spool. Later writes are not archived, which ends the chain. */
export const closeSpool = (dataDir: string): void => rmSync(spoolFolder(dataDir), { recursive: true, force: true });

/** Settings that make PostgreSQL archive its WAL; at least every half hour, so that the bucket shows an idle shop to be alive. */
export function archivingSettings(dataDir: string): Record<string, string | number> {
  const quoted = `'${spoolFolder(dataDir).replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`;
  const command = [
    `cd ${quoted} || exit 0`,
    // Skips a complete segment, because PostgreSQL can repeat the command.
    `[ -e ${FULL} ] || [ -e %f.gz ]`,
  ];
  // The time of the segment, which is the last moment that a restore reaches with it, goes into its name in the bucket.
  const write = 'gzip -1 <"$from" >%f.tmp && touch -r "$from" %f.tmp && sync %f.tmp && mv %f.tmp %f.gz || rm -f %f.tmp';
  return {
    wal_level: 'replica',
    archive_mode: 'on',
    archive_timeout: 1800,
    archive_command: `from="$PWD/%p"; ${command.join('; ')} || { ${write}; }; exit 0`,
  };
}

/** Returns the segments to upload, oldest first; `since` in ms since 1970. */
export function waitingPieces(dataDir: string): { name: string; path: string; bytes: number; since: number }[] {
  const spool = spoolFolder(dataDir);
  if (!existsSync(spool)) return [];
  return readdirSync(spool)
    .toSorted()
    .flatMap((file) => {
      const name = PIECE.exec(file)?.groups?.name;
      if (!name) return [];
      // Skips a segment that was uploaded and deleted meanwhile.
      const found = statSync(join(spool, file), { throwIfNoEntry: false });
      return found ? [{ name, path: join(spool, file), bytes: found.size, since: found.mtimeMs }] : [];
    });
}

export const isFull = (dataDir: string): boolean => existsSync(join(spoolFolder(dataDir), FULL));

/** Deletes the waiting segments and accepts no more, so that the disk does not fill up. */
export function giveUpSpool(dataDir: string): void {
  writeFileSync(join(spoolFolder(dataDir), FULL), '');
  for (const { path } of waitingPieces(dataDir)) rmSync(path, { force: true });
}

export const reopenSpool = (dataDir: string): void => rmSync(join(spoolFolder(dataDir), FULL), { force: true });
