import { sql } from 'kysely';
import type { Tx } from '../db/open.ts';

/** Checks stock against its ledger and totals against orders; returns a Spanish clause if they disagree. */
export async function inconsistency(tx: Tx): Promise<string | undefined> {
  const { rows: products } = await sql<{ name: string }>`
    SELECT name FROM products p
    WHERE stock <> (SELECT coalesce(sum(unidades), 0) FROM stock_movements m WHERE m.product_id = p.id) LIMIT 1`.execute(tx);
  if (products[0]) return `el stock de «${products[0].name}» no es la suma de sus movimientos`;
  const { rows: totals } = await sql<{ dia: string }>`
    SELECT dia FROM (
      SELECT k.ambito, k.ambito_id, k.dia_total AS dia, estado, sum(pedidos) AS pedidos, sum(total_cents) AS total_cents
      FROM pedidos_contados c, pedidos_totales_claves(revendedor_id, transportista_id, c.dia) k GROUP BY 1, 2, 3, 4) counted
    FULL JOIN (
      SELECT ambito, ambito_id, dia, estado, sum(pedidos) AS pedidos, sum(total_cents) AS total_cents FROM pedidos_totales
      GROUP BY 1, 2, 3, 4 HAVING sum(pedidos) <> 0 OR sum(total_cents) <> 0) kept USING (ambito, ambito_id, dia, estado)
    WHERE (counted.pedidos, counted.total_cents) IS DISTINCT FROM (kept.pedidos, kept.total_cents) LIMIT 1`.execute(tx);
  return totals[0] ? 'las cifras por día no son las de sus pedidos' : undefined;
}
