import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Backup } from '../../contract/backups/backups.ts';
import { type Actor, rolesOf } from '../../contract/policy/policy.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { emitJob } from '../jobs/wake.ts';
import { conflict, notFound } from '../kit/errors.ts';
import { emit } from '../live/emit.ts';
import { notifySuperadmins } from '../notifications/notify.ts';

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
      type: 'configuracion',
      action: 'create',
      entity_type: 'backup',
      entity_id: row.id,
      description: `Copia de seguridad ${origen} pedida: ${nombre}`,
    });
    tell(tx);
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

export const tell = (tx: Tx): void => emit(tx, { topic: 'backups', roles: rolesOf('backup:manage') });

/** Returns the seconds since the last verified backup began, under the label `verified`; empty without a verified backup. */
export async function ageOfBackup(db: Db): Promise<Record<string, number>> {
  const last = await db
    .selectFrom('backups')
    .select(({ fn }) => fn.max('created_at').as('at'))
    .where('estado', '=', 'verificada')
    .executeTakeFirst();
  return last?.at ? { verified: Math.round((Date.now() - Date.parse(last.at)) / 1000) } : {};
}
