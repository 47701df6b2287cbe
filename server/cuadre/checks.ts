import { sql } from 'kysely';
import { type Check, labelOf, ordersAndMoney, type Row } from './check.ts';
import { ofPedidos } from './checks.pedidos.ts';
import { ofPeople } from './checks.people.ts';
import { ofPruebas } from './checks.pruebas.ts';

const stock: Check = {
  name: 'stock',
  titulo: 'El stock de cada producto es la suma de sus movimientos',
  unidad: 'cantidad',
  quick: true,
  differences: () => sql<Row>`
    SELECT p.name AS que, p.stock AS hay, m.suma AS esperado, '/control-stock?abrir=' || p.id AS enlace
    FROM products p, LATERAL (SELECT coalesce(sum(unidades), 0) AS suma FROM stock_movements WHERE product_id = p.id) m
    WHERE p.stock <> m.suma`,
};

const totales: Check = {
  name: 'totales',
  titulo: 'Las cifras por día son las de sus pedidos',
  unidad: 'texto',
  quick: true,
  differences: () => sql<Row>`
    SELECT CASE ambito WHEN 'todo' THEN 'Todos los pedidos' WHEN 'revendedor' THEN coalesce(u.full_name, 'Sin revendedor')
        ELSE coalesce(u.full_name, 'Sin transportista') END
        || CASE WHEN dia = '0001-01-01' THEN '' ELSE to_char(dia, ', DD/MM/YYYY') END || ', ' || ${labelOf(sql`estado`)} AS que,
      ${ordersAndMoney(sql`coalesce(kept.pedidos, 0)`, sql`coalesce(kept.total_cents, 0)`)} AS hay,
      ${ordersAndMoney(sql`coalesce(counted.pedidos, 0)`, sql`coalesce(counted.total_cents, 0)`)} AS esperado,
      '/pedidos?estado=' || estado
        || CASE WHEN dia = '0001-01-01' THEN '' ELSE '&fecha_desde=' || dia || '&fecha_hasta=' || dia END
        || CASE WHEN u.id IS NULL THEN '' ELSE '&' || ambito || '_id=' || u.id END AS enlace
    FROM (
      SELECT k.ambito, k.ambito_id, k.dia_total AS dia, estado, sum(pedidos) AS pedidos, sum(total_cents) AS total_cents
      FROM pedidos_contados c, pedidos_totales_claves(revendedor_id, transportista_id, c.dia) k GROUP BY 1, 2, 3, 4) counted
    FULL JOIN (
      SELECT ambito, ambito_id, dia, estado, sum(pedidos) AS pedidos, sum(total_cents) AS total_cents FROM pedidos_totales
      GROUP BY 1, 2, 3, 4 HAVING sum(pedidos) <> 0 OR sum(total_cents) <> 0) kept USING (ambito, ambito_id, dia, estado)
    LEFT JOIN users u ON u.id = ambito_id
    WHERE (counted.pedidos, counted.total_cents) IS DISTINCT FROM (kept.pedidos, kept.total_cents)`,
};

const numeros: Check = {
  name: 'numeros',
  titulo: 'No hay dos pedidos con el mismo número',
  unidad: 'cantidad',
  differences: () => sql<Row>`
    SELECT numero_orden AS que, count(*) AS hay, 1 AS esperado, '/pedidos?search=' || numero_orden AS enlace
    FROM pedidos GROUP BY numero_orden HAVING count(*) > 1`,
};

export const CHECKS: readonly Check[] = [stock, totales, numeros, ...ofPedidos, ...ofPeople, ...ofPruebas];
