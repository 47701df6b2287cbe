import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { freeRoom, LOW } from '../db/disk.ts';
import { clusterFolder } from '../db/embedded/embedded.ts';
import { asAdmin } from '../db/embedded/role.ts';
import { spoolFolder } from '../db/embedded/wal-spool.ts';
import { refuseWithoutRoom } from '../kit/room.ts';
import { baseName } from './names.ts';

/** Excludes state of the running server, temporary files, and the log, which is archived separately. */
const LEFT_OUT = ['./pg_wal/*', './pg_replslot/*', './postmaster.pid', './postmaster.opts', '*/pgsql_tmp*'];

/** Files of a base backup; `at` is the earliest moment that the backup can restore (ISO 8601, UTC). */
export type TakenBase = { name: string; at: string; path: string; labelPath: string; remove: () => Promise<void> };

/** Copies the files of the running PostgreSQL with its low-level backup API (PostgreSQL, "Making a Base Backup Using the Low Level API"). */
export async function takeBase(url: string, dataDir: string): Promise<TakenBase> {
  const folder = join(spoolFolder(dataDir), 'base');
  const remove = () => rm(folder, { recursive: true, force: true });
  await remove();
  await mkdir(folder, { mode: 0o700 });
  const client = new pg.Client({ connectionString: asAdmin(url) });
  client.on('error', () => {});
  try {
    await client.connect();
    const ask = async (text: string): Promise<Record<string, string>> => (await client.query(text)).rows[0];
    const { bytes } = await ask('SELECT pg_database_size(current_database())::text AS bytes');
    refuseWithoutRoom('la base del archivo continuo', Number(bytes) / 2 + LOW, freeRoom(dataDir));
    const { piece = '' } = await ask(`SELECT pg_walfile_name(pg_backup_start('enruta', true)) AS piece`);
    const path = join(folder, 'base.tar.gz');
    await pack(clusterFolder(dataDir), path);
    // `pg_backup_stop(true)` waits until the pieces that the copy needs are in the spool.
    const { label, last = '' } = await ask('SELECT labelfile AS label, pg_walfile_name(lsn) AS last FROM pg_backup_stop(true)');
    const { at = '' } = await ask(`SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at`);
    const labelPath = join(folder, 'label.json');
    await writeFile(labelPath, JSON.stringify({ label }));
    return { name: baseName(Date.parse(at), piece, last), at, path, labelPath, remove };
  } catch (error) {
    await remove();
    throw error;
  } finally {
    // Closing the connection also aborts an unfinished backup.
    await client.end().catch(() => {});
  }
}

async function pack(cluster: string, path: string): Promise<void> {
  const args = ['--create', '--gzip', `--directory=${cluster}`, ...LEFT_OUT.map((name) => `--exclude=${name}`), '.'];
  const tar = spawn('tar', args, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH, LC_ALL: 'C' } });
  let output = '';
  tar.stderr.on('data', (chunk: Buffer) => (output = `${output}${chunk}`.slice(-2000)));
  const ended = new Promise<number>((resolve, reject) => tar.once('error', reject).once('close', (code) => resolve(code ?? 2)));
  await Promise.all([ended, pipeline(tar.stdout, createWriteStream(path, { mode: 0o600 }))]);
  // tar exits with 1 if a file changed while tar read it; replaying the log repairs the copy.
  if ((await ended) > 1) throw new Error(`tar: ${output.trim().split('\n').at(-1) ?? ''}`);
  if ((await stat(path)).size === 0) throw new Error('tar: nothing written');
}
