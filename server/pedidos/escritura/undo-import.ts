import { sql } from 'kysely';
import type { Answer } from '../../../contract/kit/endpoint.ts';
import { DESHACER_DAYS } from '../../../contract/pedidos/fields.ts';
import type { listImports as listEndpoint } from '../../../contract/pedidos/import.ts';
import { type Actor, personIdOf } from '../../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../../db/open.ts';
import { conflict, DomainError } from '../../kit/errors.ts';
import { lockPedidos, type PedidoRow } from '../lectura/row.ts';
import { annulIn } from '../pagos/pagos.ts';
import { deleteAll } from './pedidos.ts';

const RECENT = sql<boolean>`i.deshecha_at IS NULL AND i.created_at > now() - make_interval(days => ${DESHACER_DAYS})`;

/** Stores which orders an import has created; returns its id. */
export async function storeImport(tx: Tx, actor: Actor, ids: readonly string[]): Promise<string> {
  const { rows } = await sql<{ id: string }>`INSERT INTO importaciones (user_id, pedidos, versiones)
    SELECT ${personIdOf(actor)}::uuid, array_agg(id ORDER BY id), array_agg(version ORDER BY id) FROM pedidos WHERE id = ANY (${ids}::uuid[])
    RETURNING id`.execute(tx);
  return rows[0]?.id ?? '';
}

/** Lists the imports of the last `DESHACER_DAYS` days that have not been undone, newest first. */
export const listImports = (db: Db): Promise<Answer<typeof listEndpoint>['data']> =>
  db
    .selectFrom('importaciones as i')
    .leftJoin('users as u', 'u.id', 'i.user_id')
    .select(['i.id', 'i.created_at', 'u.full_name as quien', sql<number>`cardinality(i.pedidos)`.as('pedidos')])
    .where(RECENT)
    .orderBy('i.created_at', 'desc')
    .orderBy('i.id')
    .execute();

/**
 * Undoes an import: annuls its payments and deletes its orders, all or none; returns the number of deleted orders. Throws 409 naming the
 * orders that have changed since, or if the import is undone or old.
 */
export async function undoImport(db: Db, actor: Actor, id: string): Promise<number> {
  return transact(db, async (tx) => {
    const batch = await tx.selectFrom('importaciones as i').selectAll().where('i.id', '=', id).where(RECENT).forUpdate().executeTakeFirst();
    if (!batch) throw conflict('Esa importación ya se ha deshecho, o es de hace demasiado');
    const outcomes = await lockPedidos(tx, actor, batch.pedidos);
    const pagos = await tx
      .selectFrom('pagos')
      .select([
        'id',
        'pedido_id',
        sql<boolean>`created_at > (SELECT i.created_at FROM importaciones i WHERE i.id = ${id})`.as('later'),
        'estado',
      ])
      .where('pedido_id', '=', sql<string>`ANY (${batch.pedidos}::uuid[])`)
      .orderBy('id')
      .execute();
    const paidSince = new Set(pagos.flatMap(({ pedido_id, later }) => (later ? [pedido_id] : [])));
    const rows = [...outcomes.values()].filter((row): row is PedidoRow => !(row instanceof DomainError) && !row.deleted_at);
    const asMade = new Map(batch.pedidos.map((pedido, i) => [pedido, batch.versiones[i]]));
    const moved = rows.filter((row) => row.version !== Number(asMade.get(row.id)) || paidSince.has(row.id));
    if (moved.length > 0) throw conflict(refusalOf(moved.map(({ numero_orden }) => numero_orden).sort()));
    const left = new Set(rows.map((row) => row.id));
    for (const pago of pagos)
      if (pago.estado === 'pagado' && left.has(pago.pedido_id)) await annulIn(tx, actor, pago.id, 'Importación deshecha');
    for (const outcome of (await deleteAll(tx, actor, [...left])).values()) if (outcome instanceof DomainError) throw outcome;
    await tx.updateTable('importaciones').set({ deshecha_at: sql`now()` }).where('id', '=', id).execute();
    return left.size;
  });
}

const SHOWN = 10;
const refusalOf = (numbers: readonly string[]): string => {
  const more = numbers.length > SHOWN ? ` y ${numbers.length - SHOWN} más` : '';
  return `No se puede deshacer: ya ${numbers.length === 1 ? 'ha cambiado' : 'han cambiado'} ${numbers.slice(0, SHOWN).join(', ')}${more}. Elimina los demás en la lista`;
};

/** Deletes what is known of imports that can no longer be undone. */
export async function deleteOldImports(db: Db): Promise<void> {
  await db.deleteFrom('importaciones').where('created_at', '<', sql<string>`now() - make_interval(days => ${DESHACER_DAYS})`).execute();
}
