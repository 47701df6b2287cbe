import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { backupKey } from '../backups/backups.job.ts';
import { decryptFile, encryptChunks, type Key } from '../backups/encrypt.ts';
import { leaveFolder, shopFolder, writeCard } from '../backups/shop.ts';
import { freeRoom } from '../db/disk.ts';
import { giveUpSpool, isFull, reopenSpool, spoolFolder, waitingPieces } from '../db/embedded/wal-spool.ts';
import type { Db } from '../db/open.ts';
import type { Bucket } from '../files/bucket.ts';
import { DomainError } from '../kit/errors.ts';
import { fingerprint } from '../kit/secrets.ts';
import { takeBase } from './base.ts';
import { type Chain, dropChain, newChain, readChain, storeChain } from './chain.ts';
import { baseAt, expiredKeys, followsPiece, isPiece, keyAt, pieceAt, piecePrefix } from './names.ts';

/** Number of past days of which any moment can be restored. */
export const DAYS = 7;
const BASE_EVERY_MS = 86_400_000;
/** Milliseconds between looks for new pieces while a base is uploaded. */
const LOOK_MS = 2000;
/** Maximum bytes in the spool and minimum bytes free on the disk. Beyond these limits the chain is abandoned. */
const LIMIT = { spool: 512 * 2 ** 20, free: 2 ** 30 };

type Tools = { take: typeof takeBase; seal: typeof sealAside };
export type Shipping = { db: Db; url: string; bucket: Bucket; dataDir: string; secretKey: string } & Partial<Tools>;

let written: string | undefined;
/** Ends the current piece of the log if the shop's tables have changed since the last call. The jobs' own tables do not count. */
export async function endPiece(db: Db): Promise<void> {
  const { rows } = await sql<{ rows: string }>`
    SELECT sum(n_tup_ins + n_tup_upd + n_tup_del)::text AS rows FROM pg_stat_user_tables WHERE schemaname = 'public'`.execute(db);
  if (rows[0]?.rows === written) return;
  await sql`SELECT pg_switch_wal()`.execute(db);
  written = rows[0]?.rows;
}

const running = new Set<string>();

/**
 * Uploads waiting pieces of the log, and a base backup if none is younger than a day. On failure, throws the reason in Spanish and
 * drops waiting pieces before they fill the disk. Does nothing while another run of this process ships the same folder.
 */
export async function shipLog(shipping: Shipping, limit = LIMIT): Promise<void> {
  const { bucket, dataDir } = shipping;
  if (running.has(dataDir)) return;
  running.add(dataDir);
  try {
    for (const name of readdirSync(spoolFolder(dataDir))) if (name.startsWith('sealed')) await rm(join(spoolFolder(dataDir), name));
    const chain = await currentChain(shipping);
    reopenSpool(dataDir);
    await shipPieces(shipping, chain);
    if (!chain.base || Date.now() - Date.parse(chain.base.at) > BASE_EVERY_MS) await renewBase(shipping, chain);
  } catch (cause) {
    throw Object.assign(new DomainError(503, reasonOf(cause, dataDir, limit)), { cause });
  } finally {
    running.delete(dataDir);
  }

  async function renewBase({ db, url, take = takeBase }: Shipping, chain: Chain): Promise<void> {
    const base = await take(url, dataDir);
    try {
      await meanwhile(
        (signal) => store(shipping, chain, base.path, baseAt(chain.id, base.name, 'tar.gz'), signal),
        () => shipPieces(shipping, chain),
      );
      await shipPieces(shipping, chain);
      await store(shipping, chain, base.labelPath, baseAt(chain.id, base.name, 'json'));
    } finally {
      await base.remove();
    }
    chain.base = { at: base.at, name: base.name };
    storeChain(dataDir, chain);
    // Written again each day, because a rule of the bucket may delete old objects.
    await storeKey(shipping, chain);
    await writeCard(db, bucket, chain.shop);
    const keys = (await bucket.list(`${chain.shop}wal/`)).map(({ key }) => key);
    for (const key of expiredKeys(keys, chain.shop, chain.id, DAYS)) await bucket.remove(key);
  }
}

/** Runs `often` every two seconds until `long` ends. Aborts `long` if `often` fails. */
async function meanwhile(long: (signal: AbortSignal) => Promise<void>, often: () => Promise<void>): Promise<void> {
  const aborting = new AbortController();
  let hasEnded = false;
  const ended = long(aborting.signal).finally(() => (hasEnded = true));
  try {
    while (!hasEnded) {
      await Promise.race([ended, wait(LOOK_MS)]);
      await often();
    }
  } catch (error) {
    aborting.abort();
    await ended.catch(() => {});
    throw error;
  }
  await ended;
}

/** Returns why shipping fails, in Spanish. Abandons the chain first if the waiting pieces could fill the disk. */
function reasonOf(cause: unknown, dataDir: string, limit: typeof LIMIT): string {
  const waiting = waitingPieces(dataDir);
  const bytes = waiting.reduce((sum, piece) => sum + piece.bytes, 0);
  const why = `El archivo continuo no llega al cubo (${(cause as Error).message}). Revisa las variables S3_… y el servicio.`;
  if (!isFull(dataDir) && bytes < limit.spool && (freeRoom(dataDir) > limit.free || bytes < limit.free / 16))
    return `${why} Esperan ${waiting.length} ficheros en ${spoolFolder(dataDir)}; se intenta otra vez cada minuto.`;
  giveUpSpool(dataDir);
  dropChain(dataDir);
  return `${why} Para no llenar el disco se ha dejado de archivar: hasta que el cubo conteste, solo se puede volver a lo ya archivado y a las copias.`;
}

/** Returns the current chain, or a new chain if pieces are missing, or if cluster or folder differ. Stores the chain's key in the bucket. */
async function currentChain(shipping: Shipping): Promise<Chain> {
  const { db, bucket, dataDir, secretKey } = shipping;
  const { rows } = await sql<{ system: string }>`SELECT system_identifier::text AS system FROM pg_control_system()`.execute(db);
  const system = rows[0]?.system ?? '';
  const shop = await shopFolder(db, { databaseUrl: undefined, dataDir });
  const known = isFull(dataDir) ? undefined : readChain(dataDir);
  const isWhole =
    known?.system === system &&
    known.shop === shop &&
    waitingPieces(dataDir).reduce(
      ({ whole, last }, { name }) => ({ whole: whole && followsPiece(name, last), last: isPiece(name) ? name : last }),
      { whole: true, last: known.last },
    ).whole;
  if (known && isWhole) {
    if (known.sealedWith !== fingerprint((await backupKey(db, secretKey)).secret)) await storeKey(shipping, known);
    return known;
  }
  const chain = newChain(system, shop);
  await writeCard(db, bucket, shop);
  await storeKey(shipping, chain);
  return chain;
}

async function storeKey({ db, bucket, dataDir, secretKey, seal = sealAside }: Shipping, chain: Chain): Promise<void> {
  const key = await backupKey(db, secretKey);
  await bucket.put(`${chain.shop}${keyAt(chain.id)}`, await seal(chain.key, key));
  chain.sealedWith = fingerprint(key.secret);
  storeChain(dataDir, chain);
}

async function shipPieces(shipping: Shipping, chain: Chain): Promise<void> {
  for (const { name, path, since } of waitingPieces(shipping.dataDir)) {
    // A piece was lost during the upload of an earlier piece.
    if (!followsPiece(name, chain.last)) {
      dropChain(shipping.dataDir);
      throw new Error(`falta una parte antes de ${name}; se empieza de nuevo`);
    }
    const at = pieceAt(chain.id, name, since);
    if (!(await isStored(shipping, chain, name, path, at))) await store(shipping, chain, path, at);
    if (isPiece(name)) chain.last = name;
    storeChain(shipping.dataDir, chain);
    await rm(path);
  }
}

/**
 * True if an interrupted run has uploaded the piece. If the bucket has other bytes for the piece, another server writes into this chain:
 * begins another folder in the bucket, and throws.
 */
async function isStored({ db, bucket, dataDir }: Shipping, chain: Chain, name: string, path: string, at: string): Promise<boolean> {
  const found = await bucket.list(`${chain.shop}${piecePrefix(chain.id, name)}`);
  if (found.length === 0) return false;
  const draft = join(spoolFolder(dataDir), 'sealed-found');
  try {
    if (found.length === 1 && found[0]?.key === `${chain.shop}${at}` && (await bucket.download(found[0].key, draft)))
      if (await isSame(decryptFile(draft, fileSecret(chain, at)), createReadStream(path)).catch(() => false)) return true;
  } finally {
    await rm(draft, { force: true });
  }
  dropChain(dataDir);
  const why = 'Otro servidor, copia de este, escribe en el mismo archivo del cubo';
  await leaveFolder(db, dataDir, chain.shop.split('/')[1] ?? '', why);
  throw new Error(`${why}; se empieza aparte`);
}

async function isSame(first: AsyncIterable<Buffer>, second: AsyncIterable<Buffer>): Promise<boolean> {
  const [a, b] = await Promise.all([first, second].map((each) => Readable.from(each).toArray()));
  return Buffer.concat(a as Buffer[]).equals(Buffer.concat(b as Buffer[]));
}

/** Secret of a file: the chain's key, and the file's name, so that a file under another name does not decrypt. */
export const fileSecret = ({ key }: Pick<Chain, 'key'>, at: string): string => `${key} ${at}`;

/** Encrypts a file and uploads it; the upload is verified by reading it back. */
async function store({ bucket, dataDir }: Shipping, chain: Chain, from: string, at: string, signal?: AbortSignal): Promise<void> {
  const key: Key = { secret: fileSecret(chain, at), clave: 'archivo' };
  const sealed = join(spoolFolder(dataDir), signal ? 'sealed-base' : 'sealed');
  try {
    await pipeline(
      createReadStream(from),
      (chunks: AsyncIterable<Buffer>) => encryptChunks(chunks, key),
      createWriteStream(sealed, { mode: 0o600 }),
    );
    await bucket.upload(`${chain.shop}${at}`, sealed, signal);
  } finally {
    await rm(sealed, { force: true });
  }
}

/** Encrypts `text` like a backup. Uses a child process: deriving the key takes 64 MB, which this process would never release. */
async function sealAside(text: string, key: Key): Promise<Buffer> {
  const child = fork(new URL('./seal.worker.ts', import.meta.url), { serialization: 'advanced', execArgv: [] });
  const ended = new AbortController();
  child.once('exit', (code, signal) => ended.abort(new Error(`the process that seals the key ended (${signal ?? code ?? 'no signal'})`)));
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
