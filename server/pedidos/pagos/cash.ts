import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../db/open.ts';
import { conflict } from '../../kit/errors.ts';
import { toEuros } from '../../kit/money.ts';

/* Cash in a carrier's hands: each payment belongs to a round of a business day, which closes when its cash is handed over (decision 051). */

/** Serialises changes to a carrier's cash: collecting, annulling, handing over. Lock the order first, to avoid deadlocks. */
export const lockCash = (tx: Tx, transportista_id: string) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended(${`caja ${transportista_id}`}, 0))`.execute(tx);

/** Returns where cash collected at `at` belongs: its business day (yyyy-MM-dd) and that day's first round that is not handed over. */
export async function openRound(tx: Tx, transportista_id: string, at: RawBuilder<string>): Promise<Round> {
  await lockCash(tx, transportista_id);
  const { rows } = await sql<Round>`
    SELECT dia_negocio(${at})::text AS caja_dia, coalesce(max(ronda), 0) + 1 AS caja_ronda
    FROM cajas WHERE transportista_id = ${transportista_id} AND dia = dia_negocio(${at})`.execute(tx);
  return rows[0] as Round;
}
type Round = { caja_dia: string; caja_ronda: number };

/** Throws 409 for cash that the carrier has handed over, which can no longer change. */
export async function refuseHandedOver(
  tx: Tx,
  { transportista_id, caja_dia, caja_ronda }: { transportista_id: string | null; caja_dia: string | null; caja_ronda: number },
) {
  if (!transportista_id || !caja_dia) return;
  await lockCash(tx, transportista_id);
  const cajas = tx.selectFrom('cajas').select('id').where('transportista_id', '=', transportista_id);
  if (await cajas.where('dia', '=', caja_dia).where('ronda', '=', caja_ronda).executeTakeFirst())
    throw conflict('Este cobro ya está en una caja entregada');
}

/** Returns a carrier's cash, in cents, that the office has not confirmed: in hand or handed over. */
export async function cashInHand(tx: Tx, transportista_id: string): Promise<number> {
  await lockCash(tx, transportista_id);
  const { rows } = await sql<{ cents: number }>`
    SELECT coalesce(sum(g.importe_cents), 0)::bigint AS cents FROM pagos g
    LEFT JOIN cajas c ON (c.transportista_id, c.dia, c.ronda) = (g.transportista_id, g.caja_dia, g.caja_ronda)
    WHERE g.transportista_id = ${transportista_id} AND g.caja_dia IS NOT NULL AND g.estado <> 'anulado' AND c.confirmada_at IS NULL`.execute(
    tx,
  );
  return rows[0]?.cents ?? 0;
}

type CashBox = { transportista_id: string; nombre: string; dia: string; euros: number };

/** Returns the rounds of cash that wait for the office, oldest first: handed over and not confirmed, or kept since an earlier business day. */
export async function cashWaiting(db: Db): Promise<CashBox[]> {
  const { rows } = await sql<CashBox & { cents: string }>`
    SELECT d.transportista_id, u.full_name AS nombre, d.caja_dia::text AS dia, d.cents
    FROM (SELECT transportista_id, caja_dia, caja_ronda, sum(importe_cents) AS cents FROM pagos
      WHERE caja_dia IS NOT NULL AND estado <> 'anulado' GROUP BY 1, 2, 3) d
    JOIN users u ON u.id = d.transportista_id
    LEFT JOIN cajas c ON (c.transportista_id, c.dia, c.ronda) = (d.transportista_id, d.caja_dia, d.caja_ronda)
    WHERE c.confirmada_at IS NULL AND (c.id IS NOT NULL OR d.caja_dia < dia_negocio(now()))
    ORDER BY d.caja_dia, u.full_name`.execute(db);
  return rows.map(({ cents, ...box }) => ({ ...box, euros: toEuros(Number(cents)) }));
}

/** Condition on `pagos`: collected at the door by card or Bizum and not confirmed yet. Must match the index `pagos_por_comprobar`. */
export const toCompare = sql<boolean>`(transportista_id IS NOT NULL AND caja_dia IS NULL AND comprobado_at IS NULL AND estado <> 'anulado')`;

/** Locks the orders of payments, as annulling does. */
export async function lockOrders(tx: Tx, pagos: readonly string[]): Promise<void> {
  const orders = tx.selectFrom('pagos').select('pedido_id').where('id', '=', sql<string>`ANY (${pagos}::uuid[])`);
  await tx.selectFrom('pedidos').select('id').where('id', 'in', orders).orderBy('id').forUpdate().execute();
}

/** Marks payments as confirmed by a person; returns the cents of each payment not confirmed before. Locks their orders, as annulling does. */
export async function markCompared(tx: Tx, ids: readonly string[], comprobado_por: string): Promise<number[]> {
  await lockOrders(tx, ids);
  const found = await tx
    .updateTable('pagos')
    .set({ comprobado_at: sql<string>`now()`, comprobado_por })
    .where('id', '=', sql<string>`ANY (${ids}::uuid[])`)
    .where(toCompare)
    .returning('importe_cents')
    .execute();
  return found.map(({ importe_cents }) => importe_cents);
}

/** Condition on `pagos`: collected by a delivery company that has not paid it. Must match the index `pagos_con_empresa`. */
export const withCompany = sql<boolean>`(empresa IS NOT NULL AND remesa_id IS NULL AND estado <> 'anulado')`;

/** Condition on `pagos`: the company has it for longer than its term. */
export const lateWithCompany = sql<boolean>`(${withCompany}
  AND fecha < dia_negocio(now()) - (SELECT nullif(t.dias, 0) FROM empresas_plazos t WHERE t.empresa = pagos.empresa))`;

/** Locks the orders of payments; returns the cents of each that the company has not paid. */
export async function lockWithCompany(tx: Tx, empresa: string, ids: readonly string[]): Promise<number[]> {
  await lockOrders(tx, ids);
  const pagos = tx.selectFrom('pagos').select('importe_cents').where('id', '=', sql<string>`ANY (${ids}::uuid[])`);
  const found = await pagos.where('empresa', '=', empresa).where(withCompany).execute();
  return found.map(({ importe_cents }) => importe_cents);
}

/** Locks the orders of a remittance's payments; returns the payments. */
export async function lockRemitted(tx: Tx, remesa_id: string): Promise<string[]> {
  const pagos = await tx.selectFrom('pagos').select('id').where('remesa_id', '=', remesa_id).execute();
  const ids = pagos.map(({ id }) => id);
  await lockOrders(tx, ids);
  return ids;
}

/** Says that another company than was noted has collected a payment, whose order is locked. */
export const collectedBy = (tx: Tx, id: string, empresa: string) => tx.updateTable('pagos').set({ empresa }).where('id', '=', id).execute();

/** Marks locked payments as brought by a remittance; null: the company has them again. */
export const markRemitted = (tx: Tx, ids: readonly string[], remesa_id: string | null) =>
  tx.updateTable('pagos').set({ remesa_id }).where('id', '=', sql<string>`ANY (${ids}::uuid[])`).execute();
