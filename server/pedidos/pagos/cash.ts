import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../db/open.ts';
import { conflict } from '../../kit/errors.ts';

/* Cash in a carrier's hands: each payment belongs to a business day, which closes when its cash is handed over (decision 051). */

/** Serialises changes to a carrier's cash: collecting, annulling, handing over. Lock the order first, to avoid deadlocks. */
export const lockCash = (tx: Tx, transportista_id: string) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended(${`caja ${transportista_id}`}, 0))`.execute(tx);

/** Returns the business day (yyyy-MM-dd) of cash collected at `at`: the same day, or the first later day that is not handed over. */
export async function openDay(tx: Tx, transportista_id: string, at: RawBuilder<string>): Promise<string> {
  await lockCash(tx, transportista_id);
  const { rows } = await sql<{ dia: string }>`
    WITH entregadas AS (SELECT dia FROM cajas WHERE transportista_id = ${transportista_id} AND dia >= dia_negocio(${at}))
    SELECT min(dia)::text AS dia FROM (SELECT dia_negocio(${at}) AS dia UNION SELECT dia + 1 FROM entregadas) d
    WHERE dia NOT IN (SELECT dia FROM entregadas)`.execute(tx);
  return rows[0]?.dia ?? '';
}

/** Throws 409 for cash that the carrier has handed over, which can no longer change. */
export async function refuseHandedOver(
  tx: Tx,
  { transportista_id, caja_dia }: { transportista_id: string | null; caja_dia: string | null },
) {
  if (!transportista_id || !caja_dia) return;
  await lockCash(tx, transportista_id);
  const caja = tx.selectFrom('cajas').select('id').where('transportista_id', '=', transportista_id).where('dia', '=', caja_dia);
  if (await caja.executeTakeFirst()) throw conflict('Este cobro ya está en una caja entregada');
}

/** Returns a carrier's cash, in cents, that the office has not confirmed: in hand or handed over. */
export async function cashInHand(tx: Tx, transportista_id: string): Promise<number> {
  await lockCash(tx, transportista_id);
  const { rows } = await sql<{ cents: number }>`
    SELECT coalesce(sum(g.importe_cents), 0)::bigint AS cents FROM pagos g
    LEFT JOIN cajas c ON c.transportista_id = g.transportista_id AND c.dia = g.caja_dia
    WHERE g.transportista_id = ${transportista_id} AND g.caja_dia IS NOT NULL AND g.estado <> 'anulado' AND c.confirmada_at IS NULL`.execute(
    tx,
  );
  return rows[0]?.cents ?? 0;
}

/** Condition on `pagos`: collected at the door by card or Bizum and not confirmed yet. Must match the index `pagos_por_comprobar`. */
export const toCompare = sql<boolean>`(transportista_id IS NOT NULL AND caja_dia IS NULL AND comprobado_at IS NULL AND estado <> 'anulado')`;

/** Marks payments as confirmed by a person; returns the cents of each payment not confirmed before. Locks their orders, as annulling does. */
export async function markCompared(tx: Tx, ids: readonly string[], comprobado_por: string): Promise<number[]> {
  const orders = tx.selectFrom('pagos').select('pedido_id').where('id', '=', sql<string>`ANY (${ids}::uuid[])`);
  await tx.selectFrom('pedidos').select('id').where('id', 'in', orders).orderBy('id').forUpdate().execute();
  const found = await tx
    .updateTable('pagos')
    .set({ comprobado_at: sql<string>`now()`, comprobado_por })
    .where('id', '=', sql<string>`ANY (${ids}::uuid[])`)
    .where(toCompare)
    .returning('importe_cents')
    .execute();
  return found.map(({ importe_cents }) => importe_cents);
}
