import { sql } from 'kysely';
import { type Check, type Difference, ordersAndMoney } from './check.ts';

// Names customers by id, so that results contain no personal data.
const CLIENTE = sql`'Cliente ' || left(c.id::text, 8) AS que, '/clientes/' || c.id AS enlace`;

const clientes: readonly Check[] = [
  {
    name: 'clientes',
    titulo: 'Los pedidos de cada cliente son los que se le cuentan',
    unidad: 'texto',
    of: 'clientes',
    differences: (part) => sql<Difference>`
      SELECT ${CLIENTE}, ${ordersAndMoney(sql`c.pedidos`, sql`c.total_cents`)} AS hay, ${ordersAndMoney(sql`n.pedidos`, sql`n.cents`)} AS esperado
      FROM clientes c, LATERAL (
        SELECT count(*) AS pedidos, coalesce(sum(p.precio_total_cents), 0) AS cents FROM pedidos p
        WHERE p.cliente_id = ANY (ARRAY(SELECT id FROM clientes WHERE id = c.id OR principal = c.id))
          AND p.deleted_at IS NULL AND p.estado <> 'cancelado') n
      WHERE ${part(sql`c.id`)} AND (c.pedidos, c.total_cents) IS DISTINCT FROM (n.pedidos, n.cents)`,
  },
  {
    name: 'clientes_en_cadena',
    titulo: 'Un cliente se une a uno que no está unido a otro',
    unidad: 'texto',
    of: 'clientes',
    differences: (part) => sql<Difference>`
      SELECT ${CLIENTE}, 'unido a uno que está unido' AS hay, 'unido al principal' AS esperado
      FROM clientes c JOIN clientes m ON m.id = c.unido_a WHERE ${part(sql`c.id`)} AND m.unido_a IS NOT NULL`,
  },
  {
    name: 'clientes_de_dos',
    titulo: 'Los clientes unidos son del mismo revendedor',
    unidad: 'texto',
    of: 'clientes',
    differences: (part) => sql<Difference>`
      SELECT ${CLIENTE}, 'unido al de otro revendedor' AS hay, 'unido a uno del suyo' AS esperado
      FROM clientes c JOIN clientes m ON m.id = c.unido_a WHERE ${part(sql`c.id`)} AND m.revendedor_id IS DISTINCT FROM c.revendedor_id`,
  },
];

const PEDIDO = sql`p.numero_orden || ', ' || (SELECT full_name FROM users WHERE id = g.user_id) AS que, '/pedidos/' || p.id AS enlace`;

const ganancias: readonly Check[] = [
  {
    name: 'margenes',
    titulo: 'Cada margen es el de su regla sobre lo que se vendió',
    unidad: 'euros',
    of: 'pedidos',
    differences: (part) => sql<Difference>`
      SELECT ${PEDIDO}, g.cents AS hay, g.esperado FROM pedidos p JOIN LATERAL (
        SELECT user_id, cents, CASE margen_tipo WHEN 'pack' THEN margen_valor * b.packs
          ELSE round(greatest(0, p.precio_total_cents - p.envio_cents) * margen_valor / 10000.0) END AS esperado
        FROM ganancias, LATERAL (
          SELECT coalesce(sum(cantidad), 0) AS packs FROM pedidos_lineas WHERE pedido_id = p.id AND pack_id IS NOT NULL) b
        WHERE pedido_id = p.id AND margen_tipo IS NOT NULL AND NOT EXISTS (SELECT FROM ganancias x WHERE x.anula_id = ganancias.id)) g
        ON g.cents <> g.esperado
      WHERE ${part(sql`p.id`)}`,
  },
  {
    name: 'ganado',
    titulo: 'Cada uno gana por un pedido lo que le toca: nada si está eliminado, y menos lo devuelto',
    unidad: 'euros',
    of: 'pedidos',
    // Rounds the sum of the reversals for returns, like server/ganancias/ledger.ts.
    differences: (part) => sql<Difference>`
      SELECT ${PEDIDO}, g.hay, e.esperado FROM pedidos p JOIN LATERAL (
        SELECT user_id, sum(cents) AS hay, coalesce(sum(cents) FILTER (WHERE concepto = 'margen'), 0) AS margen,
          coalesce(sum(cents) FILTER (WHERE concepto = 'entrega'), 0) AS entrega, coalesce(sum(cents) FILTER (WHERE concepto = 'intento'), 0) AS intento
        FROM ganancias WHERE pedido_id = p.id GROUP BY user_id) g ON true,
      LATERAL (
        SELECT sum(l.precio_total_cents)::numeric AS todo, coalesce(sum(l.precio_total_cents::numeric * r.cantidad / l.cantidad), 0) AS devuelto
        FROM pedidos_lineas l LEFT JOIN LATERAL (
          SELECT sum(x.cantidad) AS cantidad FROM devoluciones d JOIN devoluciones_lineas x ON x.devolucion_id = d.id
          WHERE d.pedido_id = p.id AND x.numero = l.numero AND d.anulada_at IS NULL) r ON true
        WHERE l.pedido_id = p.id) v,
      LATERAL (
        SELECT CASE WHEN p.estado <> 'completado' THEN g.intento WHEN p.deleted_at IS NOT NULL THEN 0
          ELSE g.margen - coalesce(round(g.margen * v.devuelto / nullif(v.todo, 0)), 0) + g.entrega + g.intento END AS esperado) e
      WHERE ${part(sql`p.id`)} AND g.hay <> e.esperado`,
  },
];

const LIQUIDACION = sql`l.numero AS que, '/liquidaciones/' || l.id AS enlace`;
const ITS_LINES = sql`LATERAL (
  SELECT coalesce(sum(cents), 0) AS cents, count(*) FILTER (WHERE user_id = l.user_id) AS suyas, count(*) FILTER (WHERE user_id <> l.user_id) AS ajenas
  FROM ganancias WHERE liquidacion_id = l.id) g`;

const liquidaciones: readonly Check[] = [
  {
    name: 'liquidaciones',
    titulo: 'El total de cada liquidación es el de sus líneas',
    unidad: 'euros',
    of: 'liquidaciones',
    differences: (part) => sql<Difference>`
      SELECT ${LIQUIDACION}, l.total_cents AS hay, g.cents AS esperado
      FROM liquidaciones l, ${ITS_LINES} WHERE ${part(sql`l.id`)} AND l.total_cents <> g.cents`,
  },
  {
    name: 'liquidaciones_lineas',
    titulo: 'Cada liquidación tiene las líneas que dice, todas de su persona',
    unidad: 'cantidad',
    of: 'liquidaciones',
    differences: (part) => sql<Difference>`
      SELECT ${LIQUIDACION}, l.num_lineas AS hay, g.suyas AS esperado
      FROM liquidaciones l, ${ITS_LINES} WHERE ${part(sql`l.id`)} AND (l.num_lineas <> g.suyas OR g.ajenas > 0)`,
  },
];

const cajas: readonly Check[] = [
  {
    name: 'cajas',
    titulo: 'Lo esperado de cada caja entregada es la suma de sus cobros en efectivo',
    unidad: 'euros',
    differences: () => sql<Difference>`
      SELECT c.transportista_nombre || ', ' || to_char(c.dia, 'DD/MM/YYYY') AS que, c.esperado_cents AS hay, g.cents AS esperado, '/caja' AS enlace
      FROM cajas c, LATERAL (
        SELECT coalesce(sum(importe_cents), 0) AS cents FROM pagos
        WHERE transportista_id = c.transportista_id AND caja_dia = c.dia AND caja_ronda = c.ronda AND estado <> 'anulado') g
      WHERE c.esperado_cents <> g.cents`,
  },
  {
    name: 'en_mano',
    titulo: 'El efectivo de un transportista cuenta en la caja del día en que lo cobró, o de uno posterior',
    unidad: 'texto',
    of: 'pedidos',
    differences: (part) => sql<Difference>`
      SELECT p.numero_orden AS que, to_char(g.caja_dia, 'DD/MM/YYYY') AS hay, to_char(g.fecha, 'DD/MM/YYYY') AS esperado, '/caja' AS enlace
      FROM pedidos p JOIN pagos g ON g.pedido_id = p.id AND g.caja_dia < g.fecha AND g.estado <> 'anulado' WHERE ${part(sql`p.id`)}`,
  },
  {
    name: 'extractos',
    titulo: 'Lo que trajo cada abono del banco es lo que se apuntó con él y lo que espera',
    remedio: 'Abre «Pagos por revisar», suelta ese abono y apúntalo otra vez.',
    unidad: 'euros',
    differences: () => sql<Difference>`
      SELECT to_char(m.fecha, 'DD/MM/YYYY') || ', ' || m.importe_cents / 100.0 || ' €' AS que, m.resto_cents AS hay, r.cents AS esperado, '/pagos-por-revisar' AS enlace
      FROM movimientos m CROSS JOIN LATERAL (SELECT m.importe_cents + m.comision_cents
        - (SELECT coalesce(sum(importe_cents), 0) FROM pagos WHERE movimiento_id = m.id AND estado <> 'anulado')
        - (SELECT coalesce(sum(recibido_cents), 0) FROM remesas WHERE movimiento_id = m.id AND anulada_at IS NULL)
        - (SELECT coalesce(sum(coalesce(recibido_cents, contado_cents)), 0) FROM cajas WHERE movimiento_id = m.id) AS cents) r
      WHERE m.resto_cents <> r.cents`,
  },
  {
    name: 'remesas',
    titulo: 'Lo que pagó cada empresa es la suma de los cobros que trajo',
    remedio: 'Deshaz esa liquidación en Caja y anótala otra vez.',
    unidad: 'euros',
    differences: () => sql<Difference>`
      SELECT r.empresa || ', ' || to_char(r.fecha, 'DD/MM/YYYY') AS que, r.recibido_cents + r.comision_cents AS hay, g.cents AS esperado, '/caja' AS enlace
      FROM remesas r CROSS JOIN LATERAL (
        SELECT coalesce(sum(importe_cents), 0) + r.aparte_cents AS cents FROM pagos WHERE remesa_id = r.id AND estado <> 'anulado') g
      WHERE r.anulada_at IS NULL AND r.recibido_cents + r.comision_cents <> g.cents`,
  },
  {
    name: 'comprobados',
    titulo: 'Un cobro comprobado en el banco o el datáfono no está anulado',
    remedio: 'Si el dinero está en el banco, abre el pedido y pulsa «Anotar pago». Un técnico quita después la marca del cobro anulado.',
    unidad: 'texto',
    of: 'pedidos',
    differences: (part) => sql<Difference>`
      SELECT p.numero_orden AS que, 'anulado' AS hay, 'comprobado' AS esperado, '/pedidos/' || p.id AS enlace
      FROM pedidos p JOIN pagos g ON g.pedido_id = p.id AND g.comprobado_at IS NOT NULL AND g.estado = 'anulado' WHERE ${part(sql`p.id`)}`,
  },
  {
    name: 'cobros',
    titulo: 'Cada cobro de un transportista es de un pedido contra reembolso que entregó, o de una entrega deshecha o sin registrar',
    unidad: 'texto',
    of: 'pedidos',
    differences: (part) => sql<Difference>`
      SELECT p.numero_orden AS que, 'cobrado por otro' AS hay, 'cobrado por quien lo entregó' AS esperado, '/pedidos/' || p.id AS enlace
      FROM pedidos p JOIN pagos g ON g.pedido_id = p.id AND g.transportista_id IS NOT NULL
      WHERE ${part(sql`p.id`)} AND NOT (p.contra_reembolso AND p.estado = 'completado' AND p.transportista_id IS NOT DISTINCT FROM g.transportista_id)
        AND NOT (g.al_entregar AND g.estado <> 'pagado' AND p.entrega_anulada_at IS NOT NULL)
        AND NOT EXISTS (SELECT FROM pedidos_historial h WHERE h.pedido_id = p.id AND h.actor_user_id = g.transportista_id
          AND h.registrado_at IS NOT NULL AND h.cobrado_cents = g.importe_cents)`,
  },
];

export const ofPeople: readonly Check[] = [...clientes, ...ganancias, ...liquidaciones, ...cajas];
