import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { backupKey } from '../backups/backups.job.ts';
import { shopIdentity } from '../backups/shop.ts';
import { freeRoom, LOW } from '../db/disk.ts';
import { spoolFolder } from '../db/embedded/wal-spool.ts';
import type { Db } from '../db/open.ts';
import type { Bucket } from '../files/bucket.ts';
import { DomainError } from '../kit/errors.ts';
import { refuseWithoutRoom } from '../kit/room.ts';
import type { Log } from '../log/log.ts';
import { dropChain, readChain } from './chain.ts';
import { readArchive } from './names.ts';
import { planRecovery } from './plan.ts';
import { formatMadridTime, isDamage, recoverBeside } from './recover.ts';
import type { Shipping } from './ship.ts';

/**
 * Results of the last checks. `hasta`: newest restorable moment by the bucket's list, read at `mirado_at`. `probado_hasta` and `pedidos`: last
 * moment and number of orders of the last automatic test restore, at `probado_at`; `error` if the restore failed. Instants in ISO 8601.
 */
export type Seen = Partial<Record<'hasta' | 'mirado_at' | 'probado_at' | 'probado_hasta' | 'error', string>> & { pedidos?: number };

const pathOf = (dataDir: string) => join(spoolFolder(dataDir), 'seen.json');

export function readSeen(dataDir: string): Seen {
  try {
    return JSON.parse(readFileSync(pathOf(dataDir), 'utf8'));
  } catch {
    return {};
  }
}

function storeSeen(dataDir: string, seen: Seen): void {
  const draft = `${pathOf(dataDir)}.tmp`;
  writeFileSync(draft, JSON.stringify(seen), { mode: 0o600 });
  renameSync(draft, pathOf(dataDir));
}

/** Lists the archive in the bucket. Returns the last restorable moment, in ms since 1970, and a Spanish sentence if stored files are missing. */
export async function lookAtBucket(bucket: Bucket, dataDir: string): Promise<{ reach?: number; missing?: string }> {
  const chain = readChain(dataDir);
  if (!chain?.base) return {};
  const archive = readArchive(await bucket.list(`${chain.shop}wal/`), chain.shop);
  const plan = planRecovery(archive);
  const reach = plan && { reach: plan.reach };
  const own = archive.get(chain.id);
  if (!own) return { ...reach, missing: 'no está nada de lo que se guardó' };
  if (!own.hasKey) return { ...reach, missing: 'falta la clave que lo abre (key.enc)' };
  if (plan?.base.name !== chain.base.name)
    return { ...reach, missing: `falta la base del ${formatMadridTime(Date.parse(chain.base.at))}, o su registro` };
  if (plan.missing) return { ...reach, missing: `falta de ${formatMadridTime(plan.missing.from)} a ${formatMadridTime(plan.missing.to)}` };
  if ((plan.pieces.at(-1)?.name ?? '') < (chain.last ?? ''))
    return { ...reach, missing: `falta lo posterior al ${formatMadridTime(plan.reach)}` };
  return { ...reach };
}

/** Milliseconds between looks at the list of the bucket. */
const LOOK_EVERY_MS = 600_000;

/** Looks at the list of the bucket every ten minutes. If something is missing, begins another chain and throws 503 in Spanish. */
export async function checkBucket({ bucket, dataDir }: Pick<Shipping, 'bucket' | 'dataDir'>, every = LOOK_EVERY_MS): Promise<void> {
  const seen = readSeen(dataDir);
  if (Date.now() - Date.parse(seen.mirado_at ?? '1970-01-01') < every) return;
  const { reach, missing } = await lookAtBucket(bucket, dataDir);
  const { hasta: _, ...rest } = seen;
  storeSeen(dataDir, { ...rest, mirado_at: new Date().toISOString(), ...(reach && { hasta: new Date(reach).toISOString() }) });
  if (!missing) return;
  dropChain(dataDir);
  throw new DomainError(
    503,
    `En el cubo, del archivo continuo ${missing}. Se empieza otra vez, con una base nueva. Mira quién lo borra allí: una regla de caducidad, u otro programa.`,
  );
}

let testing = false;
export const isTesting = (): boolean => testing;

/** Prefix of the temporary folder, in DATA_DIR. */
const BESIDE = 'prueba-archivo-';
/** Bytes of the log that a recovery holds unpacked, at most. */
const UNPACKED = 512 * 2 ** 20;

/**
 * Restores base and log from the bucket into an empty folder, starts the result, counts its orders, and deletes it. Throws 503 in Spanish,
 * after beginning another chain if the archive is damaged.
 */
export async function testArchive(shipping: Shipping & { log: Log }, recover = recoverBeside): Promise<void> {
  const { db, bucket, dataDir, secretKey, log } = shipping;
  if (testing || !readChain(dataDir)?.base) return;
  testing = true;
  const probado_at = new Date().toISOString();
  const { error: _, ...before } = readSeen(dataDir);
  try {
    const { rows } = await sql<{ bytes: number }>`SELECT pg_database_size(current_database()) AS bytes`.execute(db);
    refuseWithoutRoom('probar el archivo continuo', Number(rows[0]?.bytes) * 1.5 + UNPACKED + LOW, freeRoom(dataDir));
    let pedidos = 0;
    const { secret } = await backupKey(db, secretKey);
    const { reached } = await recover(
      {
        bucket,
        secret,
        until: undefined,
        shop: shopIdentity(dataDir),
        log,
        settle: async (open) => void (pedidos = await countOrders(open.db)),
      },
      dataDir,
      BESIDE,
      async () => ({}),
    );
    // Orders are never deleted, so that fewer orders mean a damaged archive.
    const due = await countOrders(db, new Date(reached - 60_000));
    if (pedidos < due) throw Object.assign(new Error(`Tiene ${pedidos} pedidos, y entonces había ${due}.`), { isDamage: true });
    storeSeen(dataDir, { ...readSeen(dataDir), error: undefined, probado_at, probado_hasta: new Date(reached).toISOString(), pedidos });
  } catch (cause) {
    const { message } = cause as Error;
    storeSeen(dataDir, { ...before, probado_at, error: message });
    if (isDamage(cause)) dropChain(dataDir);
    throw Object.assign(
      new DomainError(
        503,
        `El archivo continuo no se ha podido restaurar aparte, para probarlo. ${message}${isDamage(cause) ? ' Se empieza otra vez, con una base nueva.' : ''}`,
      ),
      { cause },
    );
  } finally {
    testing = false;
  }
}

async function countOrders(db: Db, before = new Date()): Promise<number> {
  const { n } = await db
    .selectFrom('pedidos')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('created_at', '<=', before.toISOString())
    .executeTakeFirstOrThrow();
  return n;
}
