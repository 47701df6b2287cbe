import { sql } from 'kysely';
import { type Check, type Difference, estadoLabelSql, ordersAndMoney } from './check.ts';
import { ofPedidos } from './checks.pedidos.ts';
import { ofPeople } from './checks.people.ts';

const PEDIDO = sql`p.numero_orden || ', ' || x.tipo AS que`;
const ENLACE = sql`'/pedidos/' || p.id AS enlace`;

/** Checks of the proofs of delivery (decision 057). */
const ofPruebas: readonly Check[] = [
  {
    name: 'pruebas_cadena',
    titulo: 'Cada prueba de entrega lleva el sello de la anterior y el suyo',
    unidad: 'texto',
    differences: () => sql<Difference>`
      SELECT ${PEDIDO}, 'otro sello' AS hay, 'el de sus datos y la anterior' AS esperado, ${ENLACE}
      FROM (SELECT r.*, sello_prueba(lag(r.sello, 1, '') OVER (ORDER BY r.n), r) AS propio, lag(r.sello, 1, '') OVER (ORDER BY r.n) AS previo
        FROM pruebas r) x JOIN pedidos p ON p.id = x.pedido_id
      WHERE x.anterior <> x.previo OR x.sello <> x.propio`,
  },
  {
    name: 'pruebas_ficheros',
    titulo: 'Cada prueba de entrega tiene su fichero, sin cambios',
    unidad: 'texto',
    differences: () => sql<Difference>`
      SELECT ${PEDIDO}, CASE x.problema WHEN 'falta' THEN 'no está' WHEN 'cambiado' THEN 'cambiado' ELSE 'no se puede leer' END AS hay,
        'el que se envió' AS esperado, ${ENLACE}
      FROM pruebas x JOIN pedidos p ON p.id = x.pedido_id WHERE x.problema IS NOT NULL AND x.fichero IS NOT NULL`,
  },
  {
    name: 'pruebas_esperadas',
    // Stops reporting a missing proof after 30 days, when the phone that has the file is presumed lost.
    titulo: 'Las pruebas que anunció una entrega, un intento o un paso no registrado han llegado en un día',
    unidad: 'texto',
    differences: () => sql<Difference>`
      SELECT ${PEDIDO}, 'no ha llegado' AS hay, 'enviada desde el teléfono' AS esperado, ${ENLACE}
      FROM (SELECT pedido_id, anunciadas, entregada_at FROM entregas
        UNION ALL SELECT pedido_id, anunciadas, created_at FROM intentos WHERE anunciadas <> '[]'
        UNION ALL SELECT pedido_id, anunciadas, created_at FROM pedidos_historial WHERE anunciadas IS NOT NULL) e JOIN pedidos p ON p.id = e.pedido_id,
      LATERAL (SELECT a->>'tipo' AS tipo, a->>'sha256' AS sha256 FROM jsonb_array_elements(e.anunciadas) a) x
      WHERE p.anonimizado_at IS NULL AND e.entregada_at BETWEEN now() - interval '30 days' AND now() - interval '1 day'
        AND NOT EXISTS (SELECT FROM pruebas r WHERE r.pedido_id = p.id AND r.sha256 = x.sha256)`,
  },
];

const stock: Check = {
  name: 'stock',
  titulo: 'El stock de cada producto es la suma de sus movimientos',
  unidad: 'cantidad',
  quick: true,
  differences: () => sql<Difference>`
    SELECT p.name AS que, p.stock AS hay, m.suma AS esperado, '/control-stock?abrir=' || p.id AS enlace
    FROM products p, LATERAL (SELECT coalesce(sum(unidades), 0) AS suma FROM stock_movements WHERE product_id = p.id) m
    WHERE p.stock <> m.suma`,
};

/** Check of a count and an amount of the daily totals, named by their columns. */
const ofTotals = (name: string, titulo: string, columns: readonly [string, string]): Check => {
  const [n, cents] = [sql.ref(columns[0]), sql.ref(columns[1])];
  return {
    name,
    titulo,
    unidad: 'texto',
    quick: true,
    differences: () => sql<Difference>`
    SELECT CASE ambito WHEN 'todo' THEN 'Todos los pedidos' WHEN 'revendedor' THEN coalesce(u.full_name, 'Tienda')
        ELSE coalesce(u.full_name, 'Sin transportista') END
        || CASE WHEN dia = '0001-01-01' THEN '' ELSE to_char(dia, ', DD/MM/YYYY') END || ', ' || ${estadoLabelSql(sql`estado`)} AS que,
      ${ordersAndMoney(sql`coalesce(kept.n, 0)`, sql`coalesce(kept.cents, 0)`)} AS hay,
      ${ordersAndMoney(sql`coalesce(counted.n, 0)`, sql`coalesce(counted.cents, 0)`)} AS esperado,
      '/pedidos?estado=' || estado
        || CASE WHEN dia = '0001-01-01' THEN '' ELSE '&fecha_desde=' || dia || '&fecha_hasta=' || dia END
        || CASE WHEN u.id IS NULL THEN '' ELSE '&' || ambito || '_id=' || u.id END AS enlace
    FROM (
      SELECT k.ambito, k.ambito_id, k.dia_total AS dia, estado, sum(${n}) AS n, sum(${cents}) AS cents
      FROM pedidos_contados c, pedidos_totales_claves(revendedor_id, transportista_id, c.dia) k
      GROUP BY 1, 2, 3, 4 HAVING sum(${n}) <> 0 OR sum(${cents}) <> 0) counted
    FULL JOIN (
      SELECT ambito, ambito_id, dia, estado, sum(${n}) AS n, sum(${cents}) AS cents FROM pedidos_totales
      GROUP BY 1, 2, 3, 4 HAVING sum(${n}) <> 0 OR sum(${cents}) <> 0) kept USING (ambito, ambito_id, dia, estado)
    LEFT JOIN users u ON u.id = ambito_id
    WHERE (counted.n, counted.cents) IS DISTINCT FROM (kept.n, kept.cents)`,
  };
};
const totales = [
  ofTotals('totales', 'Las cifras por día son las de sus pedidos', ['pedidos', 'total_cents']),
  ofTotals('por_cobrar', 'Lo que falta por cobrar por día es lo de sus pedidos', ['por_cobrar', 'por_cobrar_cents']),
];

const numeros: Check = {
  name: 'numeros',
  titulo: 'No hay dos pedidos con el mismo número',
  unidad: 'cantidad',
  differences: () => sql<Difference>`
    SELECT numero_orden AS que, count(*) AS hay, 1 AS esperado, '/pedidos?search=' || numero_orden AS enlace
    FROM pedidos GROUP BY numero_orden HAVING count(*) > 1`,
};

export const CHECKS: readonly Check[] = [stock, ...totales, numeros, ...ofPedidos, ...ofPeople, ...ofPruebas];
