import { sql } from 'kysely';
import type { ExportRecord, ExportRequest } from '../../contract/exports/exports.ts';
import { RECENT_EXPORTS } from '../../contract/exports/fields.ts';
import type { Actor, Person } from '../../contract/policy/policy.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { emitJob } from '../jobs/wake.ts';
import { conflict, notFound } from '../kit/errors.ts';
import { emit } from '../live/emit.ts';
import { ZONE } from '../settings/zone.ts';

const COLUMNS = ['id', 'name', 'formato', 'estado', 'hechas', 'total', 'size', 'error', 'created_at'] as const;

export const listExports = async (db: Db, actor: Actor): Promise<ExportRecord[]> =>
  db.selectFrom('exports').select(COLUMNS).where('user_id', '=', actor.id).orderBy('created_at', 'desc').limit(RECENT_EXPORTS).execute();

/** Queues an export and deletes the actor's oldest exports. Throws 409 while an export of the actor is in progress. */
export async function createExport(db: Db, actor: Person, request: ExportRequest): Promise<ExportRecord> {
  const user_id = actor.id;
  return transact(db, async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`export|${user_id}`}, 0))`.execute(tx);
    const running = await tx
      .selectFrom('exports')
      .select('id')
      .where('user_id', '=', user_id)
      .where('estado', '=', 'en_curso')
      .executeTakeFirst();
    if (running) throw conflict('Ya hay una exportación en curso: espera a que acabe o cancélala', 'already_running');
    const name = await nameOf(tx, request);
    const row = await tx
      .insertInto('exports')
      .values({ user_id, name, formato: request.formato, peticion: JSON.stringify(request) })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
    await sql`DELETE FROM exports WHERE user_id = ${user_id} AND id NOT IN (SELECT id FROM exports WHERE user_id = ${user_id} ORDER BY created_at DESC LIMIT ${RECENT_EXPORTS})`.execute(
      tx,
    );
    await audit(tx, actor, {
      type: 'exportacion',
      action: 'export',
      entity_type: 'export',
      entity_id: row.id,
      description: `Exportación de ${request.conjuntos.join(', ')} en ${request.formato}`,
      despues: { ...request },
    });
    emitJob(tx, 'exportar');
    return row;
  });
}

/** Cancels one of the actor's exports. Throws 404, or 409 if it has ended. */
export const cancelExport = async (db: Db, actor: Actor, id: string): Promise<ExportRecord> =>
  transact(db, async (tx) => {
    const row = await tx
      .updateTable('exports')
      .set({ estado: 'cancelado', finished_at: sql`now()` })
      .where('id', '=', id)
      .where('user_id', '=', actor.id)
      .where('estado', '=', 'en_curso')
      .returning(COLUMNS)
      .executeTakeFirst();
    if (row) return row;
    const mine = await tx.selectFrom('exports').select('id').where('id', '=', id).where('user_id', '=', actor.id).executeTakeFirst();
    throw mine ? conflict('La exportación ya ha terminado') : notFound();
  });

/** Returns the file of one of the actor's exports. Throws 404, or 409 until it is ready. */
export async function readExport(db: Db, actor: Actor, id: string): Promise<{ name: string; content: Uint8Array }> {
  const { name, content } = await db
    .selectFrom('exports')
    .select(['name', 'content'])
    .where('id', '=', id)
    .where('user_id', '=', actor.id)
    .executeTakeFirstOrThrow(() => notFound());
  if (!content) throw conflict('La exportación aún no está lista', 'not_ready');
  return { name, content };
}

// Names the file as in the specification, section 7.
async function nameOf(tx: Parameters<Parameters<typeof transact>[1]>[0], { conjuntos, formato }: ExportRequest): Promise<string> {
  const { rows } = await sql<{ stamp: string }>`
    SELECT to_char(now() AT TIME ZONE ${ZONE}, 'YYYY-MM-DD_HH24-MI-SS') AS stamp`.execute(tx);
  const extension = formato === 'csv' && conjuntos.length > 1 ? 'zip' : formato;
  return `enruta_export_${rows[0]?.stamp ?? ''}.${extension}`;
}

const WITHDRAWN = 'Se ha retirado: podía tener datos de clientes que se han bloqueado o anonimizado. Vuelve a hacerla.';

/** Withdraws the files of finished exports and stops running exports: both may contain personal data just removed from orders. */
export async function withdrawExports(tx: Tx): Promise<void> {
  await tx
    .updateTable('exports')
    .set({ content: null, size: null, error: WITHDRAWN, finished_at: sql`coalesce(finished_at, now())`, estado: 'error' })
    .where('estado', 'in', ['listo', 'en_curso'])
    .execute();
  emit(tx, { topic: 'exports', roles: ['superadmin'] });
}
