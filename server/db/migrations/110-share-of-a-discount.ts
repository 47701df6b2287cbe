import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Value of goods after their share of the discount, as `afterDiscount` of contract/pedidos/money.ts. A discount beyond the goods takes
  // the shipping off, so the goods are worth 0, never less.
  `CREATE FUNCTION tras_descuento(cents numeric, todo numeric, descuento bigint) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(cents * greatest(0, todo - descuento) / nullif(todo, 0), 0)
  $$`,
  `CREATE OR REPLACE FUNCTION valor_devuelto(pedido uuid, cantidad_devuelta int) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN valor_devuelto.cantidad_devuelta >= p.cantidad THEN p.precio_total_cents
      ELSE least(p.precio_total_cents, round(round(tras_descuento(v.devuelto, v.todo, p.descuento_cents), 9)))::bigint END
    FROM pedidos p, LATERAL (
      SELECT sum(l.precio_total_cents)::numeric AS todo, sum(l.precio_total_cents::numeric * coalesce(r.cantidad, 0) / l.cantidad) AS devuelto
      FROM pedidos_lineas l LEFT JOIN LATERAL (
        SELECT sum(x.cantidad) AS cantidad FROM devoluciones_lineas x JOIN devoluciones d ON d.id = x.devolucion_id
        WHERE d.pedido_id = l.pedido_id AND x.numero = l.numero AND d.anulada_at IS NULL) r ON true
      WHERE l.pedido_id = p.id) v
    WHERE p.id = pedido
  $$`,
  `CREATE OR REPLACE FUNCTION valor_devolucion(devolucion uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT coalesce((
      SELECT round(round(tras_descuento(sum(l.precio_total_cents::numeric * x.cantidad / l.cantidad), t.todo, p.descuento_cents), 9))::bigint
      FROM devoluciones d JOIN pedidos p ON p.id = d.pedido_id JOIN devoluciones_lineas x ON x.devolucion_id = d.id
        JOIN pedidos_lineas l ON l.pedido_id = p.id AND l.numero = x.numero,
        LATERAL (SELECT sum(precio_total_cents)::numeric AS todo FROM pedidos_lineas WHERE pedido_id = p.id) t
      WHERE d.id = devolucion GROUP BY t.todo, p.descuento_cents), 0)
  $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
