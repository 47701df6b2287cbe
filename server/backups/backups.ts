import { createReadStream, type ReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Backup } from '../../contract/backups/backups.ts';
import { type Actor, rolesOf, SISTEMA } from '../../contract/policy/policy.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import type { Bucket } from '../files/bucket.ts';
import { emitJob } from '../jobs/wake.ts';
import type { Config } from '../kit/config.ts';
import { conflict, DomainError, notFound } from '../kit/errors.ts';
import { emit } from '../live/emit.ts';
import { notify, notifySuperadmins } from '../notifications/notify.ts';
import { readTermInForce } from '../settings/settings.ts';
import { queueWebhooks } from '../webhooks/queue.ts';
import { chooseShop, describeShop, listCopiedShops, shopFolder, writeCard } from './shop.ts';

const COLUMNS = [
  'id',
  'nombre',
  'origen',
  'estado',
  'verificacion',
  'fase',
  'hechas',
  'total',
  'size',
  'filas',
  'error',
  'created_at',
  'verified_at',
  'fuera_at',
  'fuera_error',
] as const;

export async function listBackups(db: Db): Promise<Backup[]> {
  return db.selectFrom('backups').select(COLUMNS).orderBy('created_at', 'desc').orderBy('nombre', 'desc').execute();
}

/** Requests a backup, made and verified in the background. Throws 409 while a backup is in progress. */
export async function createBackup(db: Db, actor: Actor, origen: Backup['origen'] = 'manual'): Promise<Backup> {
  return transact(db, async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended('backups', 0))`.execute(tx);
    const running = await tx.selectFrom('backups').select('id').where('estado', '=', 'en_curso').executeTakeFirst();
    if (running) throw conflict('Ya se está haciendo una copia: espera a que acabe', 'already_running');
    const nombre = `enruta-${new Date().toISOString().replace(/[-:.]/g, '')}.jsonl.gz.enc`;
    const row = await tx.insertInto('backups').values({ nombre, origen }).returning(COLUMNS).executeTakeFirstOrThrow();
    await audit(tx, actor, {
      action: 'create',
      entity_type: 'backup',
      entity_id: row.id,
      description: `Copia de seguridad ${origen} pedida: ${nombre}`,
    });
    announceBackups(tx);
    emitJob(tx, 'copias');
    return row;
  });
}

type Download = { nombre: string; size: number; content: ReadStream };

/** Opens the file of a verified backup and notifies the other superadmins. Throws 404; 409 if unverified or on another machine. */
export async function readBackupFile(db: Db, actor: Actor, folder: string, id: string): Promise<Download> {
  const row = await db.selectFrom('backups').select(['nombre', 'estado']).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound();
  if (row.estado !== 'verificada') throw conflict('Solo se puede descargar una copia verificada', 'not_ready');
  const path = join(folder, row.nombre);
  const found = await stat(path).catch(() => undefined);
  if (!found) throw conflict('El archivo de esta copia no está en la carpeta de copias de este servidor');
  await transact(db, async (tx) => {
    await audit(tx, actor, {
      type: 'exportacion',
      action: 'export',
      entity_type: 'backup',
      entity_id: id,
      description: `Copia de seguridad descargada: ${row.nombre}`,
    });
    const texto = `${actor.full_name} ha descargado la copia de seguridad ${row.nombre}`;
    const enlace = '/configuracion?tab=database';
    await notifySuperadmins(tx, actor, 'copia_descargada', texto, enlace);
  });
  return { nombre: row.nombre, size: found.size, content: createReadStream(path) };
}

export const announceBackups = (tx: Tx): void => emit(tx, { topic: 'backups', roles: rolesOf('backup:manage') });

/** Returns the seconds since the last verified backup began, under the label `verified`; empty without a verified backup. */
export async function ageOfBackup(db: Db): Promise<Record<string, number>> {
  const last = await db
    .selectFrom('backups')
    .select(({ fn }) => fn.max('created_at').as('at'))
    .where('estado', '=', 'verificada')
    .executeTakeFirst();
  return last?.at ? { verified: Math.round((Date.now() - Date.parse(last.at)) / 1000) } : {};
}

/** Folder of the backups within a shop's folder in the bucket. */
const FOLDER = 'copias/';
const NAME = /^copias\/(enruta-(\d{4})(\d{2})(\d{2})T\w+\.jsonl\.gz\.enc)$/;
const DAY_MS = 86_400_000;

/** Compares the backups that were uploaded with the list of the bucket. Returns true, and notifies, if the bucket no longer has `newest`. */
async function clearDeleted(db: Db, bucket: Bucket, shop: string, newest: string): Promise<boolean> {
  const names = backupsIn(shop, await bucket.list(`${shop}${FOLDER}`)).map(({ name }) => name);
  return transact(db, async (tx) => {
    const lost = await tx
      .updateTable('backups')
      .set({ fuera_at: null })
      .where('fuera_at', 'is not', null)
      .where('nombre', 'not in', ['', ...names])
      .returning('nombre')
      .execute();
    if (!lost.some(({ nombre }) => nombre === newest)) return false;
    const texto = `La última copia de seguridad ya no está en el cubo de S3_BUCKET, y se guarda allí otra vez. Mira quién la ha borrado: ${newest}`;
    await notify(tx, { tipo: 'copia_fallida', texto, enlace: '/configuracion?tab=database', roles: ['superadmin'], mail: true });
    announceBackups(tx);
    return true;
  });
}

type Places = Pick<Config, 'backupDir' | 'databaseUrl' | 'dataDir'>;

/** Uploads the newest verified backup once, and then deletes expired backups from the bucket. Throws 503 with the reason in Spanish. */
export async function takeOffSite(db: Db, bucket: Bucket, { backupDir, ...server }: Places): Promise<void> {
  const newest = await db
    .selectFrom('backups')
    .select(['id', 'nombre', 'fuera_at', 'fuera_error'])
    .where('estado', '=', 'verificada')
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
  if (!newest) return;
  const shop = await shopFolder(db, server);
  if (newest.fuera_at && !(await clearDeleted(db, bucket, shop, newest.nombre))) return;
  const { id, nombre } = newest;
  const path = join(backupDir, nombre);
  // The backup is on another instance, which has its own folder.
  if (
    !(await access(path).then(
      () => true,
      () => false,
    ))
  )
    return;
  try {
    await writeCard(db, bucket, shop);
    await bucket.upload(`${shop}${FOLDER}${nombre}`, path);
    await prune(bucket, shop, (await readTermInForce(db, 'retentionDays')).value);
  } catch (cause) {
    const why = `La copia de seguridad no se ha podido guardar fuera de este servidor (${(cause as Error).message}). Revisa las variables S3_… y el servicio; se intenta otra vez en diez minutos.`;
    await transact(db, async (tx) => {
      await tx.updateTable('backups').set({ fuera_error: why }).where('id', '=', id).execute();
      if (!newest.fuera_error) {
        await notify(tx, { tipo: 'copia_fallida', texto: why, enlace: '/configuracion?tab=database', roles: ['superadmin'], mail: true });
        await queueWebhooks(tx, ['backup.failed'], () => [{ copia: { nombre, motivo: why } }]);
      }
      announceBackups(tx);
    });
    throw Object.assign(new DomainError(503, why), { cause });
  }
  await transact(db, async (tx) => {
    await tx.updateTable('backups').set({ fuera_at: sql`now()`, fuera_error: null }).where('id', '=', id).execute();
    const description = `Copia de seguridad guardada también fuera de este servidor, y leída allí: ${nombre}`;
    await audit(tx, SISTEMA, { action: 'update', entity_type: 'backup', entity_id: id, description });
    announceBackups(tx);
  });
}

/** Uses the date in the names, because a reinstalled server has no rows of earlier backups. Keeps the newest backup, and those of other shops. */
async function prune(bucket: Bucket, shop: string, days: number): Promise<void> {
  for (const { key, at } of backupsIn(shop, await bucket.list(`${shop}${FOLDER}`)).slice(1))
    if (Date.now() - at > (days + 1) * DAY_MS) await bucket.remove(key);
}

/** Backups among the objects of a shop, newest first; `at` in ms since 1970. */
function backupsIn(shop: string, objects: readonly { key: string }[]): { name: string; key: string; at: number }[] {
  const found = objects.flatMap(({ key }) => {
    const [, name, year = '', month = '', day = ''] = NAME.exec(key.slice(shop.length)) ?? [];
    return name ? [{ name, key, at: Date.parse(`${year}-${month}-${day}`) }] : [];
  });
  return found.sort((a, b) => b.name.localeCompare(a.name, 'en'));
}

/**
 * Downloads the backup `name`, or the newest if `name` is empty, into `folder`; returns its path. `shop`: beginning of the shop's id.
 * Throws a Spanish sentence, with the list of shops if several have such a backup.
 */
export async function fetchOffSite(
  bucket: Bucket,
  { name, shop: wanted }: { name: string; shop?: string | undefined },
  folder: string,
): Promise<string> {
  const all = (await listCopiedShops(bucket)).map((shop) => ({ ...shop, backups: backupsIn(shop.folder, shop.objects) }));
  const shops = all.filter(({ backups }) => backups.some((backup) => !name || backup.name === name));
  if (shops.length === 0)
    throw new Error(name ? `En el cubo no hay ninguna copia ${name}.` : 'En el cubo de S3_BUCKET no hay ninguna copia.');
  const { backups } = chooseShop(
    shops,
    wanted,
    (shop) => `${describeShop(shop)}: ${shop.backups.length} copias, la última ${shop.backups[0]?.name ?? 'ninguna'}`,
  );
  const found = backups.find((backup) => !name || backup.name === name);
  const path = join(folder, found?.name ?? '');
  if (!found || !(await bucket.download(found.key, path))) throw new Error(`La copia ${found?.name ?? name ?? ''} ya no está en el cubo.`);
  return path;
}

/** Throws 503 if the last backup failed, so that the job counts as failing until a backup succeeds. */
export async function refuseFailed(db: Db): Promise<void> {
  const last = await db
    .selectFrom('backups')
    .select(['estado', 'error'])
    .where('estado', '<>', 'en_curso')
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
  if (last?.estado === 'error') throw new DomainError(503, `La última copia de seguridad ha fallado. ${last.error ?? ''}`.trim());
}

/** Returns the seconds since the last off-site backup began; undefined without an off-site backup. */
export async function ageOffSite(db: Db): Promise<number | undefined> {
  const last = await db
    .selectFrom('backups')
    .select(({ fn }) => fn.max('created_at').as('at'))
    .where('fuera_at', 'is not', null)
    .executeTakeFirst();
  return last?.at ? Math.round((Date.now() - Date.parse(last.at)) / 1000) : undefined;
}
