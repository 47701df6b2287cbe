import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { SISTEMA } from '../../contract/policy/policy.ts';
import { audit } from '../audit/audit.ts';
import { type Db, transact } from '../db/open.ts';
import type { Bucket } from '../files/bucket.ts';
import { DomainError } from '../kit/errors.ts';
import { notify } from '../notifications/notify.ts';
import { readTermInForce } from '../settings/settings.ts';
import { queueWebhooks } from '../webhooks/queue.ts';
import { tell } from './backups.ts';

/** Folder of the backups in the bucket; proofs of delivery are in folders named by order id. */
const FOLDER = 'copias/';
const NAME = /^copias\/(enruta-(\d{4})(\d{2})(\d{2})T\w+\.jsonl\.gz\.enc)$/;
const DAY_MS = 86_400_000;

/** Uploads the newest verified backup once, and then deletes expired backups from the bucket. Throws 503 with the reason in Spanish. */
export async function takeOffSite(db: Db, bucket: Bucket, backupDir: string): Promise<void> {
  const newest = await db
    .selectFrom('backups')
    .select(['id', 'nombre', 'fuera_at', 'fuera_error'])
    .where('estado', '=', 'verificada')
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
  if (!newest || newest.fuera_at) return;
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
    await bucket.upload(`${FOLDER}${nombre}`, path);
    await prune(bucket, (await readTermInForce(db, 'retentionDays')).value);
  } catch (cause) {
    const why = `La copia de seguridad no se ha podido guardar fuera de este servidor (${(cause as Error).message}). Revisa las variables S3_… y el servicio; se intenta otra vez en diez minutos.`;
    await transact(db, async (tx) => {
      await tx.updateTable('backups').set({ fuera_error: why }).where('id', '=', id).execute();
      if (!newest.fuera_error) {
        await notify(tx, { tipo: 'copia_fallida', texto: why, enlace: '/configuracion?tab=database', roles: ['superadmin'], mail: true });
        await queueWebhooks(tx, ['backup.failed'], () => [{ copia: { nombre, motivo: why } }]);
      }
      tell(tx);
    });
    throw Object.assign(new DomainError(503, why), { cause });
  }
  await transact(db, async (tx) => {
    await tx.updateTable('backups').set({ fuera_at: sql`now()`, fuera_error: null }).where('id', '=', id).execute();
    const description = `Copia de seguridad guardada también fuera de este servidor, y leída allí: ${nombre}`;
    await audit(tx, SISTEMA, { type: 'configuracion', action: 'update', entity_type: 'backup', entity_id: id, description });
    tell(tx);
  });
}

/** Uses the date in the names, because a reinstalled server has no rows of earlier backups. Keeps the newest backup. */
async function prune(bucket: Bucket, days: number): Promise<void> {
  for (const { name, at } of (await listOffSite(bucket)).slice(1))
    if (Date.now() - at > (days + 1) * DAY_MS) await bucket.remove(`${FOLDER}${name}`);
}

/** Lists the backups in the bucket, newest first; `size` in bytes, `at` in ms since 1970. */
export async function listOffSite(bucket: Bucket): Promise<{ name: string; size: number; at: number }[]> {
  const found = (await bucket.list(FOLDER)).flatMap(({ key, size }) => {
    const [, name, year, month, day] = NAME.exec(key) ?? [];
    return name ? [{ name, size, at: Date.parse(`${year}-${month}-${day}`) }] : [];
  });
  return found.sort((a, b) => b.name.localeCompare(a.name, 'en'));
}

/** Downloads the named backup, or the newest if `name` is empty, into `folder`; returns its path. Throws a Spanish sentence. */
export async function fetchOffSite(bucket: Bucket, name: string, folder: string): Promise<string> {
  const all = await listOffSite(bucket);
  const wanted = name ? all.find((one) => one.name === name) : all[0];
  if (!wanted) throw new Error(name ? `En el cubo no hay ninguna copia ${name}.` : 'En el cubo de S3_BUCKET no hay ninguna copia.');
  const path = join(folder, wanted.name);
  if (!(await bucket.download(`${FOLDER}${wanted.name}`, path))) throw new Error(`La copia ${wanted.name} ya no está en el cubo.`);
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
