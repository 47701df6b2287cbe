import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Gana } from '../../contract/liquidaciones/fields.ts';
import { type ZONAS, zonaOf } from '../../contract/zonas/zonas.ts';
import type { Tx } from '../db/open.ts';
import type { PedidosTable } from '../db/schema.ts';

/* Append-only ledger, written in the transaction that causes the earning (decision 029). Amounts of lines never change. */

type Order = Pick<
  Selectable<PedidosTable>,
  | 'id'
  | 'numero_orden'
  | 'revendedor_id'
  | 'transportista_id'
  | 'precio_total_cents'
  | 'envio_cents'
  | 'cliente_ciudad'
  | 'cliente_codigo_postal'
  | 'cliente_provincia'
  | 'cliente_pais'
>;

// Formats numbers like 1.234,5, independent of the database's locale.
const written = (hundredths: ReturnType<typeof sql>) =>
  sql`translate(rtrim(rtrim(to_char(${hundredths} / 100.0, 'FM999,999,999,990.00'), '0'), '.'), ',.', '.,')`;
export const moneySql = (cents: ReturnType<typeof sql>) =>
  sql`translate(to_char(${cents} / 100.0, 'FM999,999,999,990.00'), ',.', '.,') || ' €'`;

/** SQL that adds to the ledger, run in the same round trip as the statement that causes the earning. */
export type Earned = RawBuilder<object>;

// Fallback zone for orders outside Spain and for zones without a fee.
const PENINSULA = 'peninsula' satisfies keyof typeof ZONAS;

/** Returns the orders as a SQL row source `o`. */
function rowsOf(orders: readonly Order[]) {
  const rows = orders.map(({ precio_total_cents, envio_cents, ...order }) => ({
    ...order,
    // Price of the products after discount, without shipping.
    base: Math.max(0, precio_total_cents - envio_cents),
    zona: zonaOf(order) ?? PENINSULA,
  }));
  return sql`json_to_recordset(${JSON.stringify(rows)}) AS o (id uuid, numero_orden text, cliente_ciudad text, zona text,
    revendedor_id uuid, transportista_id uuid, base bigint)`;
}

/** Inserts the earnings of reseller and carrier for orders completed at `at`, by current rules. */
export function earnedByDelivery(orders: readonly Order[], at: RawBuilder<string>): Earned {
  const base = sql.ref('o.base');
  return sql<object>`
    INSERT INTO ganancias (user_id, pedido_id, numero_orden, ciudad, zona, concepto, cents, detalle, margen_tipo, margen_valor, margen_base, dia)
    SELECT m.user_id, o.id, o.numero_orden, o.cliente_ciudad, NULL, 'margen',
      CASE m.tipo WHEN 'pack' THEN m.valor * l.packs ELSE round(${base} * m.valor / 10000.0) END,
      CASE m.tipo WHEN 'pack' THEN l.packs || CASE l.packs WHEN 1 THEN ' pack a ' ELSE ' packs a ' END || ${moneySql(sql`m.valor`)}
        ELSE ${written(sql`m.valor`)} || ' % de ' || ${moneySql(base)} END,
      m.tipo, m.valor, CASE m.tipo WHEN 'pack' THEN l.packs ELSE ${base} END, dia_negocio(${at})
    FROM ${rowsOf(orders)} JOIN margenes m ON m.user_id = o.revendedor_id, LATERAL (
      SELECT coalesce(sum(cantidad), 0)::bigint AS packs FROM pedidos_lineas WHERE pedido_id = o.id AND pack_id IS NOT NULL) l
    UNION ALL ${feesOf(orders, 'entrega', at)}`;
}

/** Inserts the earnings of the carrier for attempts that failed at `at`, at most one per order and day. */
export const earnedByAttempt = (orders: readonly Order[], at: RawBuilder<string>): Earned => sql<object>`
  INSERT INTO ganancias (user_id, pedido_id, numero_orden, ciudad, zona, concepto, cents, detalle, margen_tipo, margen_valor, margen_base, dia)
  ${feesOf(orders, 'intento', at)} ON CONFLICT DO NOTHING`;

function feesOf(orders: readonly Order[], concepto: 'entrega' | 'intento', at: RawBuilder<string>) {
  const cents = sql.ref(`t.${concepto}_cents`);
  return sql`SELECT f.user_id, o.id, o.numero_orden, o.cliente_ciudad, f.zona, ${concepto}, f.cents, NULL, NULL::text, NULL::int, NULL::bigint, dia_negocio(${at})
    FROM ${rowsOf(orders)}, LATERAL (
      SELECT t.user_id, t.zona, ${cents} AS cents FROM tarifas t
      WHERE t.user_id = o.transportista_id AND t.zona IN (o.zona, ${PENINSULA}) AND ${cents} IS NOT NULL
      ORDER BY t.zona = ${PENINSULA} LIMIT 1) f`;
}

/** Adjusts the reseller's margin to the value returned so far. The carrier's fee stays, because the delivery was made. */
export async function adjustToReturns(tx: Tx, pedido_id: string): Promise<void> {
  // Computes over all returns together, so that partial returns add up to the cent.
  await sql`
    WITH valor AS (
      SELECT sum(l.precio_total_cents)::numeric AS todo, coalesce(sum(l.precio_total_cents::numeric * r.cantidad / l.cantidad), 0) AS devuelto
      FROM pedidos_lineas l LEFT JOIN LATERAL (
        SELECT sum(x.cantidad) AS cantidad FROM devoluciones_lineas x JOIN devoluciones v ON v.id = x.devolucion_id
        WHERE v.pedido_id = l.pedido_id AND x.numero = l.numero AND v.anulada_at IS NULL) r ON true
      WHERE l.pedido_id = ${pedido_id}),
    ganado AS (
      SELECT user_id, max(numero_orden) AS numero_orden, coalesce(sum(cents) FILTER (WHERE concepto = 'margen'), 0) AS margen,
        coalesce(sum(cents) FILTER (WHERE concepto = 'devolucion'), 0) AS quitado
      FROM ganancias WHERE pedido_id = ${pedido_id} AND concepto IN ('margen', 'devolucion') GROUP BY user_id),
    falta AS (
      SELECT user_id, numero_orden, -round(margen * devuelto / nullif(todo, 0)) - quitado AS cents FROM ganado, valor)
    INSERT INTO ganancias (user_id, pedido_id, numero_orden, concepto, cents)
    SELECT user_id, ${pedido_id}::uuid, numero_orden, 'devolucion', cents FROM falta WHERE cents <> 0`.execute(tx);
}

/** Reverses the earnings of completed orders that are deleted. */
export async function reverseEarnings(tx: Tx, pedidos: readonly string[]): Promise<void> {
  await correct(tx, pedidos, 'Pedido eliminado', sql`true`);
}

/** Books again the earnings that `reverseEarnings` reversed, for restored orders. */
export async function giveAgain(tx: Tx, pedidos: readonly string[]): Promise<void> {
  await correct(tx, pedidos, 'Pedido restaurado', sql`concepto = 'correccion'`);
}

/** Writes a counter-entry for each earning of a delivery that is taken back; fees of failed attempts stay. Its month is the entry's, or if closed the open one. */
export async function reverseDelivery(tx: Tx, pedido: string): Promise<void> {
  await sql`
    INSERT INTO ganancias (user_id, pedido_id, numero_orden, ciudad, zona, concepto, cents, nota, dia, anula_id)
    SELECT user_id, pedido_id, numero_orden, ciudad, zona, concepto, -cents, 'Entrega deshecha', dia, id
    FROM ganancias g WHERE pedido_id = ${pedido} AND ${OF_DELIVERY}`.execute(tx);
}

/** Writes a counter-entry for the fee of an attempt that is taken back. */
export async function reverseAttempt(tx: Tx, fee: string): Promise<void> {
  await sql`
    INSERT INTO ganancias (user_id, pedido_id, numero_orden, ciudad, zona, concepto, cents, nota, dia, anula_id)
    SELECT user_id, pedido_id, numero_orden, ciudad, zona, concepto, -cents, 'Intento deshecho', dia, id
    FROM ganancias WHERE id = ${fee}`.execute(tx);
}

/** Condition on `ganancias g`: earned by a delivery that counts. */
const OF_DELIVERY = sql<boolean>`(g.concepto IN ('margen', 'entrega', 'devolucion') AND g.anula_id IS NULL
  AND NOT EXISTS (SELECT FROM ganancias x WHERE x.anula_id = g.id))`;

type EarnedBy = { role: Gana; nombre: string; pagada: string | null };

/** Returns who earned by the delivery of an order that counts, and the number of a paid statement that holds it. */
export async function orderEarners(tx: Tx, pedido: string): Promise<EarnedBy[]> {
  const { rows } = await sql<EarnedBy>`
    SELECT u.role, u.full_name AS nombre, max(l.numero) FILTER (WHERE l.pagada_el IS NOT NULL) AS pagada
    FROM ganancias g JOIN users u ON u.id = g.user_id LEFT JOIN liquidaciones l ON l.id = g.liquidacion_id
    WHERE g.pedido_id = ${pedido} AND ${OF_DELIVERY} GROUP BY u.id HAVING sum(g.cents) <> 0 ORDER BY u.role, u.full_name`.execute(tx);
  return rows;
}

async function correct(tx: Tx, pedidos: readonly string[], nota: string, which: ReturnType<typeof sql>): Promise<void> {
  if (pedidos.length === 0) return;
  await sql`
    INSERT INTO ganancias (user_id, pedido_id, numero_orden, ciudad, zona, concepto, cents, nota)
    SELECT user_id, pedido_id, max(numero_orden), max(ciudad), max(zona), 'correccion', -sum(cents), ${nota}
    FROM ganancias WHERE pedido_id = ANY (${pedidos}::uuid[]) AND ${which} GROUP BY user_id, pedido_id HAVING sum(cents) <> 0`.execute(tx);
}
