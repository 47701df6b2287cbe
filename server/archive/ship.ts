import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import { keyOf } from '../backups/backups.job.ts';
import { encryptChunks, type Key } from '../backups/encrypt.ts';
import { freeRoom } from '../db/disk.ts';
import { giveUpSpool, isFull, reopenSpool, spoolOf, waitingPieces } from '../db/embedded/wal-spool.ts';
import type { Db } from '../db/open.ts';
import type { Bucket } from '../files/bucket.ts';
import { DomainError } from '../kit/errors.ts';
import { fingerprint } from '../kit/secrets.ts';
import { takeBase } from './base.ts';
import { baseAt, type Chain, dropChain, expiredKeys, follows, isPiece, keepChain, keyAt, newChain, pieceAt, readChain } from './chain.ts';

/** Number of past days of which any moment can be restored. */
export const DAYS = 7;
const BASE_EVERY_MS = 86_400_000;
/** Maximum bytes in the spool and minimum bytes free on the disk. Beyond these limits the chain is abandoned. */
const LIMIT = { spool: 512 * 2 ** 20, free: 2 ** 30 };

type Given = { db: Db; url: string; bucket: Bucket; dataDir: string; secretKey: string };

/**
 * Uploads waiting pieces of the log, and a base backup if none is younger than a day. On failure, throws the reason in Spanish and
 * drops waiting pieces before they fill the disk.
 */
export async function shipLog(given: Given, limit = LIMIT): Promise<void> {
  const { bucket, dataDir } = given;
  try {
    const chain = await currentChain(given);
    reopenSpool(dataDir);
    await shipPieces(given, chain);
    if (!chain.base || Date.now() - Date.parse(chain.base.at) > BASE_EVERY_MS) await renewBase(given, chain);
  } catch (cause) {
    throw Object.assign(new DomainError(503, reasonOf(cause, dataDir, limit)), { cause });
  }

  async function renewBase({ url }: Given, chain: Chain): Promise<void> {
    const base = await takeBase(url, dataDir);
    try {
      await shipPieces(given, chain);
      await store(given, chain, base.path, baseAt(chain.id, base.name, 'tar.gz'));
      await store(given, chain, base.labelPath, baseAt(chain.id, base.name, 'json'));
    } finally {
      await base.forget();
    }
    chain.base = { at: base.at, piece: base.piece };
    keepChain(dataDir, chain);
    const keys = (await bucket.list('wal/')).map(({ key }) => key);
    for (const key of expiredKeys(keys, chain.id, DAYS)) await bucket.remove(key);
  }
}

/** Returns why shipping fails, in Spanish. Abandons the chain first if the waiting pieces could fill the disk. */
function reasonOf(cause: unknown, dataDir: string, limit: typeof LIMIT): string {
  const waiting = waitingPieces(dataDir);
  const bytes = waiting.reduce((sum, piece) => sum + piece.bytes, 0);
  const why = `El archivo continuo no llega al cubo (${(cause as Error).message}). Revisa las variables S3_… y el servicio.`;
  if (!isFull(dataDir) && bytes < limit.spool && (freeRoom(dataDir) > limit.free || bytes < limit.free / 16))
    return `${why} Esperan ${waiting.length} ficheros en ${spoolOf(dataDir)}; se intenta otra vez cada minuto.`;
  giveUpSpool(dataDir);
  dropChain(dataDir);
  return `${why} Para no llenar el disco se ha dejado de archivar: hasta que el cubo conteste, solo se puede volver a lo ya archivado y a las copias.`;
}

/** Returns the current chain, or a new chain if pieces are missing or the cluster differs. Stores the chain's key in the bucket. */
async function currentChain({ db, bucket, dataDir, secretKey }: Given): Promise<Chain> {
  const { rows } = await sql<{ system: string }>`SELECT system_identifier::text AS system FROM pg_control_system()`.execute(db);
  const system = rows[0]?.system ?? '';
  const known = isFull(dataDir) ? undefined : readChain(dataDir);
  const isWhole =
    known?.system === system &&
    waitingPieces(dataDir).reduce(
      ({ whole, last }, { name }) => ({ whole: whole && follows(name, last), last: isPiece(name) ? name : last }),
      { whole: true, last: known.last },
    ).whole;
  const chain = known && isWhole ? known : newChain(system);
  const key = await keyOf(db, secretKey);
  const sealedWith = fingerprint(key.secret);
  if (chain.sealedWith !== sealedWith) {
    await bucket.put(keyAt(chain.id), await sealAside(chain.key, key));
    chain.sealedWith = sealedWith;
    keepChain(dataDir, chain);
  }
  return chain;
}

async function shipPieces(given: Given, chain: Chain): Promise<void> {
  for (const { name, path } of waitingPieces(given.dataDir)) {
    // A piece was lost during the upload of an earlier piece.
    if (!follows(name, chain.last)) {
      dropChain(given.dataDir);
      throw new Error(`falta una parte antes de ${name}; se empieza de nuevo`);
    }
    await store(given, chain, path, pieceAt(chain.id, name));
    if (isPiece(name)) chain.last = name;
    keepChain(given.dataDir, chain);
    await rm(path);
  }
}

/** Encrypts a file and uploads it; the upload is verified by reading it back. */
async function store({ bucket, dataDir }: Given, chain: Chain, from: string, at: string): Promise<void> {
  const key: Key = { secret: chain.key, clave: 'archivo' };
  const sealed = join(spoolOf(dataDir), 'sealed');
  try {
    await pipeline(
      createReadStream(from),
      (chunks: AsyncIterable<Buffer>) => encryptChunks(chunks, key),
      createWriteStream(sealed, { mode: 0o600 }),
    );
    await bucket.upload(at, sealed);
  } finally {
    await rm(sealed, { force: true });
  }
}

/** Encrypts `text` like a backup. Uses a child process: deriving the key takes 64 MB, which this process would never release. */
async function sealAside(text: string, key: Key): Promise<Buffer> {
  const child = fork(new URL('./seal.worker.ts', import.meta.url), { serialization: 'advanced', execArgv: [] });
  const ended = new AbortController();
  child.once('exit', (code, signal) => ended.abort(new Error(`the process that seals the key ended (${signal ?? code})`)));
  try {
    child.send({ text, key });
    const [sealed] = (await once(child, 'message', { signal: ended.signal })) as [Uint8Array];
    return Buffer.from(sealed);
  } catch (error) {
    throw ended.signal.aborted ? ended.signal.reason : error;
  } finally {
    child.kill('SIGKILL');
  }
}
