import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished, pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import { decryptFile } from '../backups/encrypt.ts';
import { chooseShop, describeShop, listCopiedShops, type Shop } from '../backups/shop.ts';
import { clusterFolder, hasDatabase, startEmbedded } from '../db/embedded/embedded.ts';
import { canArchive, closeSpool } from '../db/embedded/wal-spool.ts';
import { syncFolder } from '../db/keep-file.ts';
import { lockFolder } from '../db/lock.ts';
import { type OpenDb, openPostgres } from '../db/open.ts';
import { type Bucket, StoreError } from '../files/bucket.ts';
import { conflict } from '../kit/errors.ts';
import type { Log } from '../log/log.ts';
import { baseAt, completeBases, firstPosition, keyAt, readArchive } from './names.ts';
import { isUsable, type Plan, planRecovery } from './plan.ts';
import { fileSecret } from './ship.ts';

type Source = {
  bucket: Bucket;
  /** Secret that decrypts the archive's key: the password of the backups, or the SECRET_KEY at that time. */
  secret: string;
  /** Moment to restore; undefined for the last archived moment. */
  until: Date | undefined;
  /** Beginning of the id of the shop to restore; needed if the secret opens several. */
  shop?: string | undefined;
  /** Restores what there is, if a part of the log is missing or damaged. */
  partial?: boolean | undefined;
  log: Log;
  /** Called with what will be restored, before anything is unpacked. */
  onPlan?: ((shop: Shop, plan: Plan) => void) | undefined;
  /** Adjusts the recovered database before it replaces the current database. */
  settle: (open: OpenDb) => Promise<void>;
};
type Options = Source & { dataDir: string; overwrite: boolean };

/** Result of a restore. `reached`: moment of the last restored transaction, ms since 1970. `isWhole`: true if nothing was missing. */
export type Recovered = { reached: number; isWhole: boolean };

/** Thrown if the archive cannot restore the wanted moment. The message names the last restorable moment. */
export class Incomplete extends Error {
  readonly exitCode = 4;
}
/** A file of the archive is missing, damaged or another's. */
class BadFile extends Error {}
/** True if an error means that the archive in the bucket is damaged, unlike an unreachable bucket or a full disk. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Incomplete || error instanceof BadFile || (error as { isDamage?: boolean }).isDamage === true;

const BESIDE = 'de-fuera-';

/**
 * Restores the embedded database to a moment from the newest base backup before that moment and the log since. Works in a temporary
 * folder, which replaces the database at the end. Returns the path of the previous database too. Throws a Spanish sentence; `Incomplete`
 * if a part is missing.
 */
export async function recoverLog(options: Options, run = replayLog): Promise<Recovered & { kept: string | undefined }> {
  const { dataDir, overwrite } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const unlock = await lockFolder(dataDir);
  try {
    if (hasDatabase(dataDir) && !overwrite)
      throw conflict(
        'La carpeta ya tiene una base de datos. Para sustituirla, añade --sobrescribir: la de ahora se guarda con otro nombre.',
      );
    const use = async (beside: string) => {
      let kept: string | undefined;
      if (hasDatabase(dataDir)) {
        kept = `${clusterFolder(dataDir)}.antes-${new Date().toISOString().replace(/[-:.]/g, '')}`;
        await rename(clusterFolder(dataDir), kept);
      }
      await rename(clusterFolder(beside), clusterFolder(dataDir));
      syncFolder(dataDir);
      // Ends the chain of the previous database; the recovered database starts a new chain.
      closeSpool(dataDir);
      return { kept };
    };
    return await recoverBeside(options, dataDir, BESIDE, use, run);
  } finally {
    await unlock();
  }
}

/** Recovers into a temporary folder in `dataDir`, calls `use` with it, and removes it. Throws like `recoverLog`. */
export async function recoverBeside<T>(
  source: Source,
  dataDir: string,
  prefix: string,
  use: (beside: string) => Promise<T>,
  run = replayLog,
): Promise<Recovered & T> {
  if (!canArchive()) throw new Error('Para esto hacen falta los programas gzip y tar, que aquí no están.');
  // Removes leftovers of a killed run, which contain personal data.
  for (const name of await readdir(dataDir)) if (name.startsWith(prefix)) await rm(join(dataDir, name), { recursive: true });
  const beside = await mkdtemp(join(dataDir, prefix));
  try {
    const { shop, key, plan } = await choose(source, beside);
    source.onPlan?.(shop, plan);
    const brought = await bring(source, { shop, key, plan }, beside);
    const reached = await run(source, brought, beside);
    return { ...reached, ...(await use(beside)) };
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

type Chosen = { shop: Shop; key: string; plan: Plan };

/** Chooses shop and base by the names in the bucket. Throws a Spanish sentence if several shops open with the secret. */
async function choose(source: Source, beside: string): Promise<Chosen> {
  const { until } = source;
  const all = (await listCopiedShops(source.bucket)).map((shop) => ({ ...shop, archive: readArchive(shop.objects, shop.folder) }));
  const shops = all.filter(({ archive }) => archive.size > 0);
  if (shops.length === 0) throw new Error('En el cubo de S3_BUCKET no hay ningún archivo continuo: mira las copias, con «restore s3:».');
  type Found = (typeof shops)[number];
  const keys = new Map<Found, string>();
  let problem: unknown;
  for (const shop of source.shop ? [chooseShop(shops, source.shop, describeArchive)] : shops) {
    const newest = completeBases(shop.archive).find((base) => isUsable(shop.archive, base));
    // A shop that does not open is another's; kept only as the reason if none opens.
    const key = newest && (await keyOf(source, shop, newest.chain, beside).catch((error: unknown) => void (problem = error)));
    if (key !== undefined) keys.set(shop, key);
  }
  if (keys.size === 0)
    throw problem ?? new Error(`El archivo del cubo no se puede usar. ${shops.map(lackOf).join(' ')} Mira las copias, con «restore s3:».`);
  const shop = chooseShop([...keys.keys()], undefined, describeArchive);
  const plan = planRecovery(shop.archive, until?.getTime());
  const oldest = completeBases(shop.archive).findLast((base) => isUsable(shop.archive, base));
  if (!plan)
    throw new Error(
      `El archivo del cubo empieza el ${formatMadridTime(oldest?.at ?? 0)}: para un momento anterior está «restore s3:», con las copias.`,
    );
  if (plan.missing && !source.partial) throw incomplete(plan, plan.missing);
  return { shop, key: await keyOf(source, shop, plan.base.chain, beside), plan };
}

const lackOf = ({ folder, archive }: Shop & { archive: ReturnType<typeof readArchive> }): string =>
  [...archive]
    .map(
      ([chain, { hasKey, bases }]) =>
        `Falta ${hasKey ? (bases.length ? 'parte del registro' : 'la base') : 'key.enc'} en ${folder}wal/${chain}.`,
    )
    .join(' ');

/** Describes a shop with the first and last moment of its archive. */
function describeArchive(shop: Shop): string {
  const archive = readArchive(shop.objects, shop.folder);
  const moments = [...archive.values()].flatMap(({ bases, pieces }) => [...bases, ...pieces].map(({ at }) => at));
  return `${describeShop(shop)}: de ${formatMadridTime(Math.min(...moments))} a ${formatMadridTime(Math.max(...moments))}`;
}

function incomplete({ base }: Plan, { from, to }: { from: number; to: number }, why = ''): Incomplete {
  const whole = Math.floor(from / 1000) * 1000;
  const at = `'${commandTime(whole < base.at ? from : whole)}'`;
  return new Incomplete(
    `${why}Falta de ${formatMadridTime(from)} a ${formatMadridTime(to)}; con --hasta ${at} se recupera hasta ahí. Lo que haya sin esa parte, también lo anterior a lo pedido, se recupera con --aunque-falte.`,
  );
}

/** Formats a moment in the time of Spain, to the second. */
export const formatMadridTime = (at: number): string => new Date(at).toLocaleString('es-ES', { timeZone: 'Europe/Madrid' });
/** Formats a moment as `--hasta` takes it, with milliseconds if there are any; in the hour that exists twice, with its offset. */
export function commandTime(at: number): string {
  const local = (moment: number) => new Date(moment).toLocaleString('sv-SE', { timeZone: 'Europe/Madrid' });
  const isTwice = [at - 3_600_000, at + 3_600_000].some((other) => local(other) === local(at));
  const hours = Math.round((Date.parse(`${local(at).replace(' ', 'T')}Z`) - at) / 3_600_000);
  const ms = at % 1000;
  return `${local(at)}${ms ? `.${String(ms).padStart(3, '0')}` : ''}${isTwice ? `+0${hours}:00` : ''}`;
}

/** Folder of the pieces, inside PostgreSQL's folder, so that PostgreSQL's user can read them. */
const PIECES = 'from-archive';
const piecesIn = (beside: string) => join(clusterFolder(beside), PIECES);

/** Downloads and decrypts the file `at` of a shop. Throws BadFile if the file is missing, damaged or another's. */
async function* contentOf({ bucket }: Source, folder: string, at: string, opener: string, beside: string): AsyncGenerator<Buffer> {
  const draft = join(beside, 'draft');
  if (!(await bucket.download(`${folder}${at}`, draft))) throw new BadFile(`En el cubo falta ${folder}${at}. `);
  try {
    yield* decryptFile(draft, opener);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new BadFile(code === 'ALTERED' ? `${folder}${at} está dañado. ` : `${folder}${at} no se puede abrir: ${message}. `);
  }
}

async function textOf(...place: Parameters<typeof contentOf>): Promise<string> {
  let all = '';
  for await (const part of contentOf(...place)) all += part;
  return all;
}

const keyOf = (source: Source, { folder }: Shop, chain: string, beside: string) =>
  textOf(source, folder, keyAt(chain), source.secret, beside);

/** Unpacks the base and fetches the pieces in order, up to the first bad piece. Returns the plan with the fetched pieces. */
async function bring(source: Source, { shop: { folder }, key, plan }: Chosen, beside: string): Promise<Plan> {
  const { base, histories } = plan;
  const fetch = (at: string) => contentOf(source, folder, at, fileSecret({ key }, at), beside);
  const cluster = clusterFolder(beside);
  await mkdir(cluster, { mode: 0o700 });
  await unpack(fetch(baseAt(base.chain, base.name, 'tar.gz')), cluster);
  const labelAt = baseAt(base.chain, base.name, 'json');
  const { label } = JSON.parse(await textOf(source, folder, labelAt, fileSecret({ key }, labelAt), beside));
  await writeFile(join(cluster, 'backup_label'), label, { mode: 0o600 });
  await writeFile(join(cluster, 'recovery.signal'), '', { mode: 0o600 });
  await mkdir(piecesIn(beside), { mode: 0o700 });
  const pieces: Plan['pieces'] = [];
  for (const piece of [...histories, ...plan.pieces]) {
    try {
      const file = join(piecesIn(beside), `${piece.name}.gz`);
      await pipeline(fetch(piece.key.slice(folder.length)), createWriteStream(file, { mode: 0o600 }));
    } catch (error) {
      if (!(error instanceof BadFile)) throw error;
      const reach = Math.max(base.at, pieces.at(-1)?.at ?? 0);
      if (piece.name <= base.last)
        throw new Incomplete(
          `${error.message}Sin eso la base del ${formatMadridTime(base.at)} no vale: prueba con --hasta un momento anterior.`,
        );
      const missing = { from: reach, to: Math.max(piece.at, plan.missing?.to ?? 0) };
      if (!source.partial) throw incomplete(plan, missing, error.message);
      await rm(join(piecesIn(beside), `${piece.name}.gz`), { force: true });
      return { ...plan, pieces, reach, missing };
    }
    if (!histories.includes(piece)) pieces.push(piece);
  }
  await rm(join(beside, 'draft'), { force: true });
  return plan;
}

async function unpack(chunks: AsyncIterable<Buffer>, cluster: string): Promise<void> {
  const tar = spawn('tar', ['--extract', '--gzip', '--no-same-owner', '--preserve-permissions', `--directory=${cluster}`], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let output = '';
  tar.stderr.on('data', (chunk: Buffer) => (output = `${output}${chunk}`.slice(-2000)));
  const ended = new Promise<number>((resolve, reject) => tar.once('error', reject).once('close', (code) => resolve(code ?? 2)));
  // A broken pipe means that tar has failed: waits for the reason on stderr.
  await pipeline(chunks, tar.stdin).catch((error: unknown) => {
    if (error instanceof BadFile || error instanceof StoreError) throw error;
    return finished(tar.stderr);
  });
  if ((await ended) !== 0) throw new Error(`La base del archivo no se puede desempaquetar: ${output.trim().split('\n').at(-1) ?? ''}`);
}

const SERVER = { launch: startEmbedded, open: openPostgres };
const TOO_LATE = /recovery ended before configured recovery target/;

/** Replays the log up to the moment, then runs `settle` on the result. Throws `Incomplete` if PostgreSQL did not read the whole log. */
export async function replayLog(source: Source, plan: Plan, beside: string, { launch, open } = SERVER): Promise<Recovered> {
  const { until, log, settle, partial } = source;
  const settings = {
    wal_level: 'replica',
    restore_command: `[ -f ${PIECES}/%f.gz ] && gzip -dc ${PIECES}/%f.gz >"%p"`,
    recovery_target_action: 'promote',
    // Makes PostgreSQL accept connections only after reaching the moment.
    hot_standby: 'off',
  };
  const start = (target: object) => launch(beside, log, { settings: { ...settings, ...target } });
  let isAtTarget = until !== undefined;
  const started = await start(until ? { recovery_target_time: until.toISOString().replace('T', ' ').replace('Z', '+00') } : {}).catch(
    (error: Error) => {
      // Nothing was written between the moment and the end of the log: replays the whole log.
      isAtTarget = false;
      if (TOO_LATE.test(error.message)) return start({});
      throw error;
    },
  );
  let reached: number;
  let missing = plan.missing;
  try {
    let closing = false;
    const opened = open(started.url, (error) => void (closing || log.error({ err: error }, 'connection to PostgreSQL lost')));
    try {
      const { rows } = await sql<{ going: boolean; at: string | null; short: boolean }>`
        SELECT pg_is_in_recovery() AS going, pg_last_xact_replay_timestamp() AS at,
          pg_last_wal_replay_lsn() < ${firstPosition(plan.pieces.at(-1)?.name ?? plan.base.first)}::pg_lsn AS short`.execute(opened.db);
      if (rows[0]?.going) throw new Error('La recuperación no ha terminado.');
      reached = Math.max(plan.base.at, Date.parse(rows[0]?.at ?? '') || 0);
      // PostgreSQL ends silently at a record that it cannot read.
      if (!isAtTarget && rows[0]?.short) missing = { from: reached, to: missing?.to ?? plan.reach };
      if (missing && !partial) throw incomplete(plan, missing, 'Una parte del registro no se puede leer. ');
      await settle(opened);
    } finally {
      closing = true;
      await opened.close();
    }
  } finally {
    await started.close();
  }
  await rm(piecesIn(beside), { recursive: true });
  return { reached, isWhole: !missing };
}
