import { type RawBuilder, type Selectable, sql } from 'kysely';
import { type ZONAS, zonaOf } from '../../contract/zonas.ts';
import type { Tx } from '../db/open.ts';
import type { PedidosTable } from '../db/schema.ts';

/* Append-only ledger, written in the transaction that earns (decision 029). A line keeps its amount for good. */

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

// 1.234,50 whatever the database's locale.
const written = (hundredths: ReturnType<typeof sql>) =>
  sql`translate(rtrim(rtrim(to_char(${hundredths} / 100.0, 'FM999,999,999,990.00'), '0'), '.'), ',.', '.,')`;
export const money = (cents: ReturnType<typeof sql>) =>
  sql`translate(to_char(${cents} / 100.0, 'FM999,999,999,990.00'), ',.', '.,') || ' €'`;

/** SQL that adds to the ledger, to run in one round trip with its cause. */
export type Earned = RawBuilder<object>;

/** Earnings of reseller and carrier for an order completed at `at`, by current rules; none without rules. */
export function earnedByDelivery(order: Order, at: RawBuilder<string>): Earned {
  // Price of the products after discount, without shipping.
  const base = sql`${Math.max(0, order.precio_total_cents - order.envio_cents)}::bigint`;
  return sql<object>`
    INSERT INTO ganancias (user_id, pedido_id, numero_orden, ciudad, zona, concepto, cents, detalle, margen_tipo, margen_valor, margen_base, dia)
    SELECT m.user_id, ${order.id}::uuid, ${order.numero_orden}::text, ${order.cliente_ciudad}::text, NULL, 'margen',
      CASE m.tipo WHEN 'pack' THEN m.valor * l.packs ELSE round(${base} * m.valor / 10000.0) END,
      CASE m.tipo WHEN 'pack' THEN l.packs || CASE l.packs WHEN 1 THEN ' pack a ' ELSE ' packs a ' END || ${money(sql`m.valor`)}
        ELSE ${written(sql`m.valor`)} || ' % de ' || ${money(base)} END,
      m.tipo, m.valor, CASE m.tipo WHEN 'pack' THEN l.packs ELSE ${base} END, dia_negocio(${at})
    FROM margenes m, LATERAL (
      SELECT coalesce(sum(cantidad), 0)::bigint AS packs FROM pedidos_lineas WHERE pedido_id = ${order.id} AND pack_id IS NOT NULL) l
    WHERE m.user_id = ${order.revendedor_id}::uuid
    UNION ALL ${feeOf(order, 'entrega', at)}`;
}

/** Earnings of the carrier for an attempt that failed at `at`; at most one per order and day. */
export const earnedByAttempt = (order: Order, at: RawBuilder<string>): Earned => sql<object>`
  INSERT INTO ganancias (user_id, pedido_id, numero_orden, ciudad, zona, concepto, cents, detalle, margen_tipo, margen_valor, margen_base, dia)
  ${feeOf(order, 'intento', at)} ON CONFLICT DO NOTHING`;

// Outside Spain and in zones without a fee, the fee of the peninsula.
function feeOf(order: Order, concepto: 'entrega' | 'intento', at: RawBuilder<string>) {
  const zona = zonaOf(order) ?? ('peninsula' satisfies keyof typeof ZONAS);
  const cents = sql.ref(`t.${concepto}_cents`);
  return sql`(SELECT t.user_id, ${order.id}::uuid, ${order.numero_orden}::text, ${order.cliente_ciudad}::text, t.zona, ${concepto}, ${cents}, NULL, NULL::text, NULL::int, NULL::bigint, dia_negocio(${at})
    FROM tarifas t WHERE t.user_id = ${order.transportista_id}::uuid AND t.zona IN (${zona}, 'peninsula') AND ${cents} IS NOT NULL
    ORDER BY t.zona = 'peninsula' LIMIT 1)`;
}

/** Adjusts the reseller's margin to the value returned so far. The carrier keeps the fee: the delivery was made. */
export async function adjustToReturns(tx: Tx, pedido_id: string): Promise<void> {
  // Over all returns together, so that parts add up to the cent.
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

/** Reverses the earnings of a completed order that is deleted. */
export async function takeBack(tx: Tx, pedido_id: string): Promise<void> {
  await correct(tx, pedido_id, 'Pedido eliminado', sql`true`);
}

export async function giveAgain(tx: Tx, pedido_id: string): Promise<void> {
  await correct(tx, pedido_id, 'Pedido restaurado', sql`concepto = 'correccion'`);
}

async function correct(tx: Tx, pedido_id: string, nota: string, which: ReturnType<typeof sql>): Promise<void> {
  await sql`
    INSERT INTO ganancias (user_id, pedido_id, numero_orden, ciudad, zona, concepto, cents, nota)
    SELECT user_id, pedido_id, max(numero_orden), max(ciudad), max(zona), 'correccion', -sum(cents), ${nota}
    FROM ganancias WHERE pedido_id = ${pedido_id} AND ${which} GROUP BY user_id, pedido_id HAVING sum(cents) <> 0`.execute(tx);
}
