import { access, constants, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { VERIFICACION } from '../../contract/backups/backups.ts';
import { SISTEMA } from '../../contract/policy/policy.ts';
import type { Settings } from '../../contract/settings/values.ts';
import { audit } from '../audit/audit.ts';
import { freeRoom, LOW } from '../db/disk.ts';
import { type Db, transact } from '../db/open.ts';
import type { Config } from '../kit/config.ts';
import { refuseWithoutRoom } from '../kit/room.ts';
import { notify } from '../notifications/notify.ts';
import { readSecretSettings, readSettings, readTermInForce } from '../settings/settings.ts';
import { queueWebhooks } from '../webhooks/queue.ts';
import { announceBackups, createBackup } from './backups.ts';
import type { Key } from './encrypt.ts';
import { backupFailure, NoRoom } from './failure.ts';
import { type Advance, followBackup } from './progress.ts';
import type { Holding } from './tables.ts';
import { type Verdict, verifyBackup } from './verify.ts';
import { writeAside } from './write.ts';

type Pending = { id: string; nombre: string };
type Source = Pick<Config, 'dataDir' | 'secretKey' | 'databaseUrl'> & { url: string; holding: Holding };

const EVERY: Record<Settings['backupFrequency'], string> = { hourly: '1 hour', daily: '1 day', weekly: '7 days', monthly: '1 month' };

/** Makes and verifies requested and due backups. Deletes expired backups, and marks backups of a killed run as failed. */
export async function tendBackups(db: Db, { backupDir, ...source }: Source & Pick<Config, 'backupDir'>): Promise<void> {
  const settings = await readSettings(db);
  const unusable = await prepare(backupDir);
  if (!unusable) await buryDead(db, backupDir);
  if (settings.autoBackup && (await isDue(db, settings.backupFrequency))) await createBackup(db, SISTEMA, 'programada');
  for (const pending of await waiting(db)) {
    if (unusable) await fail(db, pending, unusable);
    else await make(db, pending, join(backupDir, pending.nombre), source);
  }
  if (!unusable) await prune(db, backupDir, (await readTermInForce(db, 'retentionDays')).value);
}

/** Creates the backup folder; returns a Spanish sentence if it is not writable. */
async function prepare(folder: string): Promise<string | undefined> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return backupFailure(error, folder);
  }
}

const waiting = (db: Db): Promise<Pending[]> =>
  db.selectFrom('backups').select(['id', 'nombre']).where('estado', '=', 'en_curso').orderBy('created_at').execute();

// Leftover files belong to a killed run. Fails the backup instead of retrying: the same backup might kill this run too.
async function buryDead(db: Db, folder: string): Promise<void> {
  for (const pending of await waiting(db)) {
    const left = (await readdir(folder)).filter((name) => name.startsWith(pending.nombre));
    if (left.length === 0) continue;
    for (const name of left) await rm(join(folder, name), { recursive: true, force: true });
    await fail(db, pending, 'Se interrumpió antes de acabar');
  }
  for (const name of await readdir(folder)) {
    if (/^enruta-.*\.tmp$/.test(name)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** True if a backup is due, with five minutes of slack; after a failure, 55 minutes later. False in the first hour of an installation. */
async function isDue(db: Db, frequency: Settings['backupFrequency']): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    SELECT EXISTS (SELECT FROM users WHERE created_at < now() - interval '1 hour')
      AND NOT EXISTS (SELECT FROM backups WHERE created_at > now() - interval '55 minutes' OR estado = 'en_curso'
        OR estado = 'verificada' AND created_at > now() - ${EVERY[frequency]}::interval + interval '5 minutes') AS due`.execute(db);
  return rows[0]?.due === true;
}

/** Free space needed for the files and for the scratch database, as multiples of the database's size. */
const ROOM = { made: 1.5, scratch: 1 };

async function make(db: Db, pending: Pending, path: string, source: Source): Promise<void> {
  const { advance, stop } = followBackup(db, pending.id);
  const verdict = await writeAndVerify(db, pending, path, source, advance)
    .catch((error: unknown) => ({ problem: backupFailure(error, dirname(path)) }))
    .finally(stop);
  if ('problem' in verdict) await fail(db, pending, verdict.problem);
  else await succeed(db, pending, verdict.verificacion);
}

async function writeAndVerify(db: Db, { id }: Pending, path: string, source: Source, advance: Advance): Promise<Verdict> {
  const { secretKey, holding, url } = source;
  await refuseLowRoom(db, dirname(path), source.databaseUrl ? undefined : source.dataDir);
  const key = await backupKey(db, secretKey);
  const outcome = await writeAside({ secretKey, holding, key, path, url }, advance);
  if ('problem' in outcome) return outcome;
  const written = outcome.done;
  const { tables: _, contradiction: __, ...kept } = written;
  await transact(db, async (tx) => {
    await tx.updateTable('backups').set(kept).where('id', '=', id).execute();
    announceBackups(tx);
  });
  return verifyBackup({ ...written, path, secret: key.secret, url }, advance);
}

async function refuseLowRoom(db: Db, folder: string, dataDir: string | undefined): Promise<void> {
  const { rows } = await sql<{ bytes: number }>`SELECT pg_database_size(current_database()) AS bytes`.execute(db);
  const refuse = (on: string, sizes: number) => {
    try {
      refuseWithoutRoom('la copia', Math.ceil((rows[0]?.bytes ?? 0) * sizes) + LOW, freeRoom(on));
    } catch (error) {
      throw new NoRoom((error as Error).message, on);
    }
  };
  const disks = await Promise.all([folder, dataDir ?? folder].map(async (path) => (await stat(path)).dev));
  const shared = dataDir !== undefined && disks[0] === disks[1];
  refuse(folder, ROOM.made + (shared ? ROOM.scratch : 0));
  if (dataDir !== undefined && !shared) refuse(dataDir, ROOM.scratch);
}

/** Returns the backup key: the passphrase of the settings, else `secretKey`. */
export async function backupKey(db: Db, secretKey: string): Promise<Key> {
  const { backupPassphrase } = await readSecretSettings(db, secretKey);
  return backupPassphrase ? { secret: backupPassphrase, clave: 'passphrase' } : { secret: secretKey, clave: 'SECRET_KEY' };
}

async function succeed(db: Db, { id, nombre }: Pending, verificacion: 'restaurada' | 'recuento'): Promise<void> {
  await transact(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('backups')
      .set({ estado: 'verificada', verificacion, fase: null, verified_at: sql`now()` })
      .where('id', '=', id)
      .where('estado', '=', 'en_curso')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    const description = `Copia de seguridad verificada (${VERIFICACION[verificacion]}): ${nombre}`;
    await audit(tx, SISTEMA, { action: 'update', entity_type: 'backup', entity_id: id, description });
    announceBackups(tx);
  });
}

async function fail(db: Db, { id, nombre }: Pending, error: string): Promise<void> {
  await transact(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('backups')
      .set({ estado: 'error', fase: null, error })
      .where('id', '=', id)
      .where('estado', '=', 'en_curso')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    const description = `Copia de seguridad fallida: ${nombre}. ${error}`;
    await audit(tx, SISTEMA, { action: 'update', entity_type: 'backup', entity_id: id, description });
    const texto = `La copia de seguridad ha fallado. ${error}`;
    await notify(tx, { tipo: 'copia_fallida', texto, enlace: '/configuracion?tab=database', roles: ['superadmin'], mail: true });
    await queueWebhooks(tx, ['backup.failed'], () => [{ copia: { nombre, motivo: error } }]);
    announceBackups(tx);
  });
}

// Never deletes the newest verified backup, so that a good backup always remains.
async function prune(db: Db, folder: string, days: number): Promise<void> {
  const { rows } = await sql<Pending>`
    SELECT id, nombre FROM backups WHERE estado <> 'en_curso' AND created_at < now() - make_interval(days => ${days})
      AND id IS DISTINCT FROM (SELECT id FROM backups WHERE estado = 'verificada' ORDER BY created_at DESC LIMIT 1)`.execute(db);
  for (const { id, nombre } of rows) {
    await rm(join(folder, nombre), { force: true });
    await transact(db, async (tx) => {
      await tx.deleteFrom('backups').where('id', '=', id).execute();
      const description = `Copia de seguridad de más de ${days} días eliminada: ${nombre}`;
      await audit(tx, SISTEMA, { action: 'delete', entity_type: 'backup', entity_id: id, description });
      announceBackups(tx);
    });
  }
}
