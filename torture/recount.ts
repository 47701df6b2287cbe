import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../server/db/open.ts';
import { withoutTimeout } from '../server/db/pool.ts';

/** What must be equal wherever a figure is stored twice: each counts the rows that disagree. */
const CHECKS: Record<string, RawBuilder<{ n: number }>> = {
  'stock is not the sum of its ledger': sql`
    SELECT count(*) AS n FROM products p
    WHERE stock <> (SELECT coalesce(sum(unidades), 0) FROM stock_movements m WHERE m.product_id = p.id) OR stock < 0`,
  'an order holds other units than its lines less its returns': sql`
    SELECT count(*) AS n FROM pedidos p WHERE unidades_retenidas <> CASE
      WHEN p.estado = 'cancelado' OR (p.deleted_at IS NOT NULL AND p.estado <> 'completado') THEN 0
      ELSE (SELECT coalesce(sum(unidades), 0) FROM pedidos_lineas l WHERE l.pedido_id = p.id)
        - (SELECT coalesce(sum(x.unidades), 0) FROM devoluciones_lineas x JOIN devoluciones d ON d.id = x.devolucion_id
           WHERE d.pedido_id = p.id AND d.anulada_at IS NULL) END`,
  'an order holds other units than it has moved': sql`
    SELECT count(*) AS n FROM pedidos p
    WHERE coalesce((SELECT sum(unidades) FROM stock_movements m WHERE m.pedido_id = p.id), 0) <> -unidades_retenidas`,
  'a total is not lines + shipping - discount': sql`
    SELECT count(*) AS n FROM pedidos p
    WHERE precio_total_cents <> (SELECT sum(precio_total_cents) FROM pedidos_lineas l WHERE l.pedido_id = p.id) + envio_cents - descuento_cents`,
  'an order counts other lines than it has': sql`
    SELECT count(*) AS n FROM pedidos p WHERE (num_lineas, cantidad) IS DISTINCT FROM
      (SELECT (count(*)::int, sum(cantidad)::int) FROM pedidos_lineas l WHERE l.pedido_id = p.id)`,
  'more was returned than bought': sql`
    SELECT count(*) AS n FROM (
      SELECT d.pedido_id, x.numero, sum(x.cantidad) AS cantidad FROM devoluciones_lineas x JOIN devoluciones d ON d.id = x.devolucion_id
      WHERE d.anulada_at IS NULL GROUP BY 1, 2) r
    JOIN pedidos_lineas l ON l.pedido_id = r.pedido_id AND l.numero = r.numero WHERE r.cantidad > l.cantidad`,
  'an order counts other returns or refunds than it has': sql`
    SELECT count(*) AS n FROM pedidos p WHERE reembolsado_cents > precio_total_cents
      OR cantidad_devuelta <> (SELECT coalesce(sum(x.cantidad), 0) FROM devoluciones_lineas x JOIN devoluciones d ON d.id = x.devolucion_id
        WHERE d.pedido_id = p.id AND d.anulada_at IS NULL)
      OR reembolsado_cents <> (SELECT coalesce(sum(reembolso_cents), 0) FROM devoluciones d WHERE d.pedido_id = p.id AND d.anulada_at IS NULL)`,
  'the daily totals are not the orders': sql`
    SELECT count(*) AS n FROM (
      SELECT k.ambito, k.ambito_id, k.dia_total AS dia, estado, sum(pedidos) AS a, sum(total_cents) AS b
      FROM pedidos_contados c, pedidos_totales_claves(revendedor_id, transportista_id, c.dia) k GROUP BY 1, 2, 3, 4) c
    FULL JOIN (
      SELECT ambito, ambito_id, dia, estado, sum(pedidos) AS a, sum(total_cents) AS b FROM pedidos_totales
      GROUP BY 1, 2, 3, 4 HAVING sum(pedidos) <> 0 OR sum(total_cents) <> 0) t USING (ambito, ambito_id, dia, estado)
    WHERE (c.a, c.b) IS DISTINCT FROM (t.a, t.b)`,
  'an order counts other payments than it has': sql`
    SELECT count(*) AS n FROM pedidos p
    WHERE pagado_cents <> (SELECT coalesce(sum(importe_cents), 0) FROM pagos g WHERE g.pedido_id = p.id AND estado = 'pagado')`,
  'a customer counts other orders than theirs': sql`
    SELECT count(*) AS n FROM clientes c WHERE (pedidos, total_cents)::text <> (
      SELECT (count(*), coalesce(sum(p.precio_total_cents), 0)::bigint)::text FROM pedidos p JOIN clientes k ON k.id = p.cliente_id
      WHERE p.deleted_at IS NULL AND p.estado <> 'cancelado' AND (k.id = c.id OR k.unido_a = c.id))`,
  'a customer is joined to a joined one, or to another seller’s': sql`
    SELECT count(*) AS n FROM clientes c JOIN clientes p ON p.id = c.unido_a
    WHERE p.unido_a IS NOT NULL OR p.revendedor_id IS DISTINCT FROM c.revendedor_id`,
  'a block is not of all who are joined': sql`
    SELECT count(*) AS n FROM clientes c JOIN clientes p ON p.id = c.unido_a WHERE (c.bloqueado_motivo IS NULL) <> (p.bloqueado_motivo IS NULL)`,
  'a margin is not the per cent of what was kept': sql`
    SELECT count(*) AS n FROM pedidos p JOIN margenes m ON m.user_id = p.revendedor_id AND m.tipo = 'porcentaje', LATERAL (
      SELECT round(greatest(0, p.precio_total_cents - p.envio_cents) * m.valor / 10000.0) AS margen) g, LATERAL (
      SELECT sum(l.precio_total_cents)::numeric AS todo, coalesce(sum(l.precio_total_cents::numeric * r.cantidad / l.cantidad), 0) AS devuelto
      FROM pedidos_lineas l LEFT JOIN LATERAL (
        SELECT sum(x.cantidad) AS cantidad FROM devoluciones_lineas x JOIN devoluciones v ON v.id = x.devolucion_id
        WHERE v.pedido_id = l.pedido_id AND x.numero = l.numero AND v.anulada_at IS NULL) r ON true WHERE l.pedido_id = p.id) q
    WHERE p.estado = 'completado' AND coalesce((SELECT sum(cents) FROM ganancias e WHERE e.pedido_id = p.id AND e.user_id = p.revendedor_id), 0)
      <> CASE WHEN p.deleted_at IS NULL THEN margen - coalesce(round(margen * devuelto / nullif(todo, 0)), 0) ELSE 0 END`,
  'an order earns that was not delivered, or less than nothing': sql`
    SELECT count(*) AS n FROM pedidos p WHERE
      (p.estado <> 'completado' AND (SELECT sum(cents) FROM ganancias g WHERE g.pedido_id = p.id AND g.concepto <> 'intento') <> 0)
      OR EXISTS (SELECT FROM ganancias g WHERE g.pedido_id = p.id GROUP BY g.user_id HAVING sum(cents) < 0)`,
  'a statement is not the sum of its lines': sql`
    SELECT count(*) AS n FROM liquidaciones l WHERE (total_cents, num_lineas::bigint) IS DISTINCT FROM
      (SELECT (coalesce(sum(cents), 0)::bigint, count(*)) FROM ganancias g WHERE g.liquidacion_id = l.id AND g.user_id = l.user_id)`,
  'two orders or statements have one number': sql`
    SELECT (SELECT count(*) - count(DISTINCT numero_orden) FROM pedidos) + (SELECT count(*) - count(DISTINCT numero) FROM liquidaciones) AS n`,
};

/** Recounts every figure that is stored twice. Returns what disagrees, with how many rows. */
export const recount = (db: Db): Promise<string[]> =>
  db.connection().execute((connection) =>
    withoutTimeout(connection, async () => {
      // A database that has just been filled is planned as if it were empty.
      await sql`ANALYZE`.execute(connection);
      const wrong: string[] = [];
      for (const [what, check] of Object.entries(CHECKS)) {
        const { rows } = await check.execute(connection);
        if (Number(rows[0]?.n)) wrong.push(`${what}: ${rows[0]?.n}`);
      }
      return wrong;
    }),
  );
