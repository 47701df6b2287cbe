import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished, pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import { decryptFile } from '../backups/encrypt.ts';
import { clusterOf, hasDatabase, startEmbedded } from '../db/embedded/embedded.ts';
import { canArchive, closeSpool } from '../db/embedded/wal-spool.ts';
import { syncFolder } from '../db/keep-file.ts';
import { lockFolder } from '../db/lock.ts';
import { type OpenDb, openPostgres } from '../db/open.ts';
import type { Bucket } from '../files/bucket.ts';
import { conflict } from '../kit/errors.ts';
import type { Log } from '../log/log.ts';
import { type Base, baseAt, basesOf, isPiece, keyAt, pieceAt } from './chain.ts';

type Given = {
  bucket: Bucket;
  dataDir: string;
  /** Secret that decrypts the archive's key: the password of the backups, or the SECRET_KEY at that time. */
  secret: string;
  /** Moment to restore; undefined for the last archived moment. */
  until: Date | undefined;
  overwrite: boolean;
  log: Log;
  /** Adjusts the recovered database before it replaces the current database. */
  settle: (open: OpenDb) => Promise<void>;
};

const BESIDE = 'de-fuera-';

/**
 * Restores the embedded database to a moment from the newest base backup before that moment and the log since. Works in a temporary
 * folder, which replaces the database at the end. Returns the path of the previous database. Throws a Spanish sentence.
 */
export async function recoverLog(given: Given): Promise<{ kept: string | undefined }> {
  const { bucket, dataDir, overwrite, until } = given;
  if (!canArchive()) throw new Error('Para esto hacen falta los programas gzip y tar, que aquí no están.');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const unlock = await lockFolder(dataDir);
  // Removes leftovers of a killed run, which contain personal data.
  for (const name of await readdir(dataDir)) if (name.startsWith(BESIDE)) await rm(join(dataDir, name), { recursive: true });
  const beside = await mkdtemp(join(dataDir, BESIDE));
  try {
    if (hasDatabase(dataDir) && !overwrite)
      throw conflict(
        'La carpeta ya tiene una base de datos. Para sustituirla, añade --sobrescribir: la de ahora se guarda con otro nombre.',
      );
    const base = await chooseBase(bucket, until);
    await bring(given, base, beside);
    await replay(given, beside);
    let kept: string | undefined;
    if (hasDatabase(dataDir)) {
      kept = `${clusterOf(dataDir)}.antes-${new Date().toISOString().replace(/[-:.]/g, '')}`;
      await rename(clusterOf(dataDir), kept);
    }
    await rename(clusterOf(beside), clusterOf(dataDir));
    syncFolder(dataDir);
    // Ends the chain of the previous database; the recovered database starts a new chain.
    closeSpool(dataDir);
    return { kept };
  } finally {
    await rm(beside, { recursive: true, force: true });
    await unlock();
  }
}

async function chooseBase(bucket: Bucket, until: Date | undefined): Promise<Base> {
  const bases = basesOf((await bucket.list('wal/')).map(({ key }) => key));
  const base = until ? bases.find(({ at }) => at <= until.getTime()) : bases[0];
  if (base) return base;
  const oldest = bases.at(-1);
  throw new Error(
    oldest
      ? `El archivo del cubo empieza el ${spanish(new Date(oldest.at))}: para un momento anterior está «restore s3:», con las copias.`
      : 'En el cubo de S3_BUCKET no hay ningún archivo continuo: mira las copias, con «restore s3:».',
  );
}

const spanish = (at: Date) => at.toLocaleString('es-ES', { timeZone: 'Europe/Madrid' });
/** Folder of the pieces, inside PostgreSQL's folder, so that PostgreSQL's user can read them. */
const PIECES = 'from-archive';
const piecesIn = (beside: string) => join(clusterOf(beside), PIECES);

/** Downloads and unpacks the base, and downloads the log of its chain from the first piece that the base needs. */
async function bring({ bucket, secret }: Given, { chain, name, piece }: Base, beside: string): Promise<void> {
  const draft = join(beside, 'draft');
  const fetch = async (key: string, opener: string) => {
    if (!(await bucket.download(key, draft))) throw new Error(`En el cubo falta ${key}.`);
    return decryptFile(draft, opener);
  };
  const text = async (key: string, opener: string) => {
    let all = '';
    for await (const part of await fetch(key, opener)) all += part;
    return all;
  };
  const key = await text(keyAt(chain), secret);
  const cluster = clusterOf(beside);
  await mkdir(cluster, { mode: 0o700 });
  await unpack(await fetch(baseAt(chain, name, 'tar.gz'), key), cluster);
  const { label } = JSON.parse(await text(baseAt(chain, name, 'json'), key));
  await writeFile(join(cluster, 'backup_label'), label, { mode: 0o600 });
  await writeFile(join(cluster, 'recovery.signal'), '', { mode: 0o600 });
  await mkdir(piecesIn(beside), { mode: 0o700 });
  const prefix = pieceAt(chain, '').replace('.gz.enc', '');
  for (const { key: at } of await bucket.list(prefix)) {
    const found = at.slice(prefix.length).replace('.gz.enc', '');
    if (isPiece(found) && found < piece) continue;
    await pipeline(await fetch(at, key), createWriteStream(join(piecesIn(beside), `${found}.gz`), { mode: 0o600 }));
  }
  await rm(draft, { force: true });
}

async function unpack(chunks: AsyncIterable<Buffer>, cluster: string): Promise<void> {
  const tar = spawn('tar', ['--extract', '--gzip', '--no-same-owner', '--preserve-permissions', `--directory=${cluster}`], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let said = '';
  tar.stderr.on('data', (chunk: Buffer) => (said = `${said}${chunk}`.slice(-2000)));
  const ended = new Promise<number>((resolve, reject) => tar.once('error', reject).once('close', (code) => resolve(code ?? 2)));
  // A broken pipe means that tar has failed: waits for the reason on stderr.
  await pipeline(chunks, tar.stdin).catch(() => finished(tar.stderr));
  if ((await ended) !== 0) throw new Error(`La base del archivo no se puede desempaquetar: ${said.trim().split('\n').at(-1)}`);
}

const TOO_LATE = /recovery ended before configured recovery target/;

/** Replays the log up to the moment, then runs `settle` on the result. */
async function replay({ until, log, settle }: Given, beside: string): Promise<void> {
  const settings = {
    wal_level: 'replica',
    restore_command: `[ -f ${PIECES}/%f.gz ] && gzip -dc ${PIECES}/%f.gz >"%p"`,
    recovery_target_action: 'promote',
    // Makes PostgreSQL accept connections only after reaching the moment.
    hot_standby: 'off',
  };
  const start = (target: object) => startEmbedded(beside, log, { settings: { ...settings, ...target } });
  const started = await start(until ? { recovery_target_time: until.toISOString().replace('T', ' ').replace('Z', '+00') } : {}).catch(
    (error: Error) => {
      // The log ends before the moment: replays the whole log.
      if (TOO_LATE.test(error.message)) return start({});
      throw error;
    },
  );
  try {
    let closing = false;
    const opened = openPostgres(started.url, (error) => void (closing || log.error({ err: error }, 'connection to PostgreSQL lost')));
    try {
      const { rows } = await sql<{ going: boolean }>`SELECT pg_is_in_recovery() AS going`.execute(opened.db);
      if (rows[0]?.going) throw new Error('La recuperación no ha terminado.');
      await settle(opened);
    } finally {
      closing = true;
      await opened.close();
    }
  } finally {
    await started.close();
  }
  await rm(piecesIn(beside), { recursive: true });
}
