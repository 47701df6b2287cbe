import { type RawBuilder, type Selectable, sql } from 'kysely';
import { type ZONAS, zonaOf } from '../../contract/zonas.ts';
import type { Tx } from '../db/open.ts';
import type { PedidosTable } from '../db/schema.ts';

/*
 * The ledger of what people earn is only ever added to, in the transaction of what earns it (decision 029). A line
 * keeps its amount whatever becomes of the order, of the rules or of the people.
 */

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

// As people read it, whatever the database's locale: 1.234,50.
const written = (hundredths: ReturnType<typeof sql>) =>
  sql`translate(rtrim(rtrim(to_char(${hundredths} / 100.0, 'FM999,999,999,990.00'), '0'), '.'), ',.', '.,')`;
/** Cents as text: 1.234,50 €. */
export const money = (cents: ReturnType<typeof sql>) =>
  sql`translate(to_char(${cents} / 100.0, 'FM999,999,999,990.00'), ',.', '.,') || ' €'`;

/** A statement that adds to the ledger, to be made in one round trip with the one that records what earns it. */
export type Earned = RawBuilder<object>;

/** What a completed order earns its reseller and its carrier by their rules of now; nothing for whom has none. */
export function earnedByDelivery(order: Order): Earned {
  // What the customer pays for the products: without shipping, less the discount.
  const base = sql`${Math.max(0, order.precio_total_cents - order.envio_cents)}::bigint`;
  return sql<object>`
    INSERT INTO ganancias (user_id, pedido_id, numero_orden, ciudad, zona, concepto, cents, detalle, margen_tipo, margen_valor, margen_base)
    SELECT m.user_id, ${order.id}::uuid, ${order.numero_orden}::text, ${order.cliente_ciudad}::text, NULL, 'margen',
      CASE m.tipo WHEN 'pack' THEN m.valor * l.packs ELSE round(${base} * m.valor / 10000.0) END,
      CASE m.tipo WHEN 'pack' THEN l.packs || CASE l.packs WHEN 1 THEN ' pack a ' ELSE ' packs a ' END || ${money(sql`m.valor`)}
        ELSE ${written(sql`m.valor`)} || ' % de ' || ${money(base)} END,
      m.tipo, m.valor, CASE m.tipo WHEN 'pack' THEN l.packs ELSE ${base} END
    FROM margenes m, LATERAL (
      SELECT coalesce(sum(cantidad), 0)::bigint AS packs FROM pedidos_lineas WHERE pedido_id = ${order.id} AND pack_id IS NOT NULL) l
    WHERE m.user_id = ${order.revendedor_id}::uuid
    UNION ALL ${feeOf(order, 'entrega')}`;
}

/** What a failed attempt earns the order's carrier: once an order and day, however often they go back and forth. */
export const earnedByAttempt = (order: Order): Earned => sql<object>`
  INSERT INTO ganancias (user_id, pedido_id, numero_orden, ciudad, zona, concepto, cents, detalle, margen_tipo, margen_valor, margen_base)
  ${feeOf(order, 'intento')} ON CONFLICT DO NOTHING`;

// Outside Spain, and in a zone without a fee, the peninsula's counts.
function feeOf(order: Order, concepto: 'entrega' | 'intento') {
  const zona = zonaOf(order) ?? ('peninsula' satisfies keyof typeof ZONAS);
  const cents = sql.ref(`t.${concepto}_cents`);
  return sql`(SELECT t.user_id, ${order.id}::uuid, ${order.numero_orden}::text, ${order.cliente_ciudad}::text, t.zona, ${concepto}, ${cents}, NULL, NULL::text, NULL::int, NULL::bigint
    FROM tarifas t WHERE t.user_id = ${order.transportista_id}::uuid AND t.zona IN (${zona}, 'peninsula') AND ${cents} IS NOT NULL
    ORDER BY t.zona = 'peninsula' LIMIT 1)`;
}

/**
 * Takes back the reseller's margin in proportion to what has been given back of an order, by value, or gives it again when a
 * return is annulled. The carrier's fee stays: the delivery was made.
 */
export async function adjustToReturns(tx: Tx, pedido_id: string): Promise<void> {
  // What the order has earned less, all returns together, so that parts add up to the cent.
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

/** Takes back, line by person, what the ledger holds of a completed order that is deleted. */
export async function takeBack(tx: Tx, pedido_id: string): Promise<void> {
  await correct(tx, pedido_id, 'Pedido eliminado', sql`true`);
}

/** Gives again what the delete of an order took, once it is restored. */
export async function giveAgain(tx: Tx, pedido_id: string): Promise<void> {
  await correct(tx, pedido_id, 'Pedido restaurado', sql`concepto = 'correccion'`);
}

async function correct(tx: Tx, pedido_id: string, nota: string, which: ReturnType<typeof sql>): Promise<void> {
  await sql`
    INSERT INTO ganancias (user_id, pedido_id, numero_orden, ciudad, zona, concepto, cents, nota)
    SELECT user_id, pedido_id, max(numero_orden), max(ciudad), max(zona), 'correccion', -sum(cents), ${nota}
    FROM ganancias WHERE pedido_id = ${pedido_id} AND ${which} GROUP BY user_id, pedido_id HAVING sum(cents) <> 0`.execute(tx);
}
