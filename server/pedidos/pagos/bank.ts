import { sql } from 'kysely';
import type { Actor } from '../../../contract/policy/policy.ts';
import type { Tx } from '../../db/open.ts';
import { lockOrders } from './cash.ts';
import { annulIn } from './pagos.ts';

/*
 * Payments found in a bank statement: `movimiento_id` is the bank's movement that brought the money. A payment at the door that a statement, and
 * no person, has found is `comprobado_at` without `comprobado_por`.
 */

/** Marks payments as brought by a movement; returns how many still could be. Locks their orders, as annulling does. */
export async function linkPagos(tx: Tx, ids: readonly string[], movimiento_id: string): Promise<number> {
  await lockOrders(tx, ids);
  const found = await tx
    .updateTable('pagos')
    .set({
      movimiento_id,
      comprobado_at: sql<string>`CASE WHEN transportista_id IS NULL THEN comprobado_at ELSE coalesce(comprobado_at, now()) END`,
    })
    .where('id', '=', sql<string>`ANY (${ids}::uuid[])`)
    .where('movimiento_id', 'is', null)
    .where('estado', '=', 'pagado')
    // Cash is in a till, and a company's money comes as a remittance.
    .where('caja_dia', 'is', null)
    .where('empresa', 'is', null)
    .returning('id')
    .execute();
  return found.length;
}

/** Takes payments back from a movement: those that the statement booked are annulled, the others stand as before. Throws 409 like `annulPago`. */
export async function unlinkPagos(tx: Tx, actor: Actor, movimiento_id: string, nota: string): Promise<void> {
  const of = tx.selectFrom('pagos').select(['id', 'del_banco', 'estado']).where('movimiento_id', '=', movimiento_id);
  await lockOrders(
    tx,
    (await of.execute()).map(({ id }) => id),
  );
  for (const { id, del_banco, estado } of await of.orderBy('id').execute())
    if (del_banco && estado !== 'anulado') await annulIn(tx, actor, id, nota);
  await tx
    .updateTable('pagos')
    .set({ movimiento_id: null, comprobado_at: sql<string>`CASE WHEN comprobado_por IS NULL THEN NULL ELSE comprobado_at END` })
    .where('movimiento_id', '=', movimiento_id)
    .execute();
}
