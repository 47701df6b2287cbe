import { type RawBuilder, sql } from 'kysely';
import type { Unidad } from '../../contract/cuadre/schemas.ts';
import { PARCIAL } from '../../contract/devoluciones/fields.ts';
import { ABIERTOS } from '../../contract/pedidos/estados.ts';
import { type Check, type Difference, estadoLabelSql } from './check.ts';

type Rule = {
  hay: RawBuilder<unknown>;
  esperado: RawBuilder<unknown>;
  /** SQL that joins further tables to the order `p`. */
  from?: RawBuilder<unknown>;
  where?: RawBuilder<unknown>;
  /** Default: `hay` differs from `esperado`. */
  wrong?: RawBuilder<unknown>;
  detail?: RawBuilder<unknown>;
};

const ofOrder = (name: string, titulo: string, unidad: Unidad, { hay, esperado, from, where, wrong, detail }: Rule): Check => ({
  name,
  titulo,
  unidad,
  of: 'pedidos',
  differences: (part) => sql<Difference>`
      SELECT numero_orden || ${detail ?? sql`''`} AS que, hay, esperado, '/pedidos/' || id AS enlace
      FROM (SELECT p.id, p.numero_orden, ${hay} AS hay, ${esperado} AS esperado${detail ? sql`, x.*` : sql``}
        FROM pedidos p${from ?? sql``} WHERE ${part(sql`p.id`)}${where ? sql` AND ${where}` : sql``}) o
      WHERE ${wrong ?? sql`hay IS DISTINCT FROM esperado`}`,
});

const lines = (of: RawBuilder<unknown>) => sql`, LATERAL (SELECT ${of} FROM pedidos_lineas l WHERE l.pedido_id = p.id) l`;
const returned = (of: RawBuilder<unknown>) =>
  sql`(SELECT coalesce(sum(${of}), 0) FROM devoluciones d JOIN devoluciones_lineas r ON r.devolucion_id = d.id WHERE d.pedido_id = p.id AND d.anulada_at IS NULL)`;
const HOLDS = sql`p.estado <> 'cancelado' AND (p.deleted_at IS NULL OR p.estado = 'completado')`;

export const ofPedidos: readonly Check[] = [
  ofOrder('retenidas', 'Cada pedido retiene las unidades de sus líneas menos las devueltas', 'cantidad', {
    hay: sql`p.unidades_retenidas`,
    esperado: sql`CASE WHEN ${HOLDS} THEN l.unidades - ${returned(sql`r.unidades`)} ELSE 0 END`,
    from: lines(sql`coalesce(sum(l.unidades), 0) AS unidades`),
  }),
  ofOrder('movimientos', 'De cada producto ha salido del stock lo que retienen los pedidos', 'cantidad', {
    hay: sql`x.salido`,
    esperado: sql`x.retenido`,
    from: sql`, LATERAL (
      SELECT (SELECT name FROM products WHERE id = product_id) AS producto, sum(retenido) AS retenido, sum(salido) AS salido FROM (
        SELECT l.product_id, l.unidades AS retenido, 0 AS salido FROM pedidos_lineas l WHERE l.pedido_id = p.id AND ${HOLDS}
        UNION ALL SELECT r.product_id, -r.unidades, 0 FROM devoluciones d JOIN devoluciones_lineas r ON r.devolucion_id = d.id
          WHERE d.pedido_id = p.id AND d.anulada_at IS NULL AND ${HOLDS}
        UNION ALL SELECT m.product_id, 0, -m.unidades FROM stock_movements m WHERE m.pedido_id = p.id) t
      WHERE product_id IS NOT NULL GROUP BY product_id) x`,
    detail: sql`', ' || producto`,
  }),
  ofOrder('total', 'El total de cada pedido es el de sus líneas, más el envío, menos el descuento', 'euros', {
    hay: sql`p.precio_total_cents`,
    esperado: sql`l.cents + p.envio_cents - p.descuento_cents`,
    from: lines(sql`coalesce(sum(l.precio_total_cents), 0) AS cents`),
  }),
  ofOrder('cantidad', 'La cantidad de cada pedido es la de sus líneas', 'cantidad', {
    hay: sql`p.cantidad`,
    esperado: sql`l.cantidad`,
    from: lines(sql`coalesce(sum(l.cantidad), 0) AS cantidad`),
  }),
  ofOrder('lineas', 'Cada pedido tiene las líneas que dice', 'cantidad', {
    hay: sql`p.num_lineas`,
    esperado: sql`l.num`,
    from: lines(sql`count(*) AS num`),
  }),
  ofOrder('devuelto_de_mas', 'No se ha devuelto más de lo que se compró', 'cantidad', {
    hay: sql`x.devuelta`,
    esperado: sql`x.comprada`,
    from: sql`, LATERAL (
      SELECT r.numero, sum(r.cantidad) AS devuelta,
        coalesce((SELECT l.cantidad FROM pedidos_lineas l WHERE l.pedido_id = p.id AND l.numero = r.numero), 0) AS comprada
      FROM devoluciones d JOIN devoluciones_lineas r ON r.devolucion_id = d.id
      WHERE d.pedido_id = p.id AND d.anulada_at IS NULL GROUP BY r.numero) x`,
    wrong: sql`hay > esperado`,
    detail: sql`', línea ' || numero`,
  }),
  ofOrder('entrega_parcial', 'Una entrega es parcial si algo quedó sin entregar', 'texto', {
    hay: sql`CASE WHEN p.entrega_parcial THEN 'parcial' ELSE 'completa' END`,
    esperado: sql`CASE WHEN EXISTS (SELECT FROM devoluciones d WHERE d.pedido_id = p.id AND d.anulada_at IS NULL AND d.motivo = ${PARCIAL})
      THEN 'parcial' ELSE 'completa' END`,
  }),
  ofOrder('cantidad_devuelta', 'La cantidad devuelta de cada pedido es la de sus devoluciones', 'cantidad', {
    hay: sql`p.cantidad_devuelta`,
    esperado: returned(sql`r.cantidad`),
  }),
  ofOrder('devuelto', 'El valor devuelto de cada pedido es el de lo que se devolvió', 'euros', {
    hay: sql`p.devuelto_cents`,
    esperado: sql`valor_devuelto(p.id, p.cantidad_devuelta)`,
    where: sql`(p.cantidad_devuelta <> 0 OR p.devuelto_cents <> 0)`,
  }),
  ofOrder('reembolsado', 'Lo reembolsado de cada pedido es la suma de sus devoluciones', 'euros', {
    hay: sql`p.reembolsado_cents`,
    esperado: sql`(SELECT coalesce(sum(reembolso_cents), 0) FROM devoluciones d WHERE d.pedido_id = p.id AND d.anulada_at IS NULL)`,
  }),
  ofOrder('reembolsado_de_mas', 'No se ha reembolsado más de lo que se pagó', 'euros', {
    hay: sql`p.reembolsado_cents`,
    esperado: sql`p.pagado_cents`,
    wrong: sql`hay > esperado`,
  }),
  ofOrder('pagado', 'Lo pagado de cada pedido es la suma de sus pagos', 'euros', {
    hay: sql`p.pagado_cents`,
    esperado: sql`(SELECT coalesce(sum(importe_cents - devuelto_cents), 0) FROM pagos g WHERE g.pedido_id = p.id AND g.estado = 'pagado')`,
  }),
  ofOrder('cobro_empresa', 'Lo que tiene la empresa de cada pedido es lo que cobró y no ha pagado', 'euros', {
    hay: sql`p.cobro_empresa_cents`,
    esperado: sql`(SELECT coalesce(sum(importe_cents), 0) FROM pagos g
      WHERE g.pedido_id = p.id AND g.empresa IS NOT NULL AND g.remesa_id IS NULL AND g.estado <> 'anulado')`,
  }),
  ofOrder('vuelto', 'Lo que la pasarela devolvió por sí sola está anotado en los pagos de su pedido', 'euros', {
    hay: sql`(SELECT coalesce(sum(CASE WHEN g.estado = 'devuelto' THEN g.importe_cents ELSE g.devuelto_cents END), 0) FROM pagos g WHERE g.pedido_id = p.id)`,
    esperado: sql`(SELECT sum(e.anotado_cents) FROM payment_events e WHERE e.pedido_id = p.id)`,
    where: sql`EXISTS (SELECT FROM payment_events e WHERE e.pedido_id = p.id AND e.anotado_cents > 0)`,
    // Refunds that a person notes come on top.
    wrong: sql`hay < esperado`,
  }),
  ofOrder('por_reembolsar', 'De cada pedido se debe lo que se pagó sin que el cliente se quede con nada por ello', 'euros', {
    hay: sql`p.por_reembolsar_cents`,
    esperado: sql`greatest(0, (SELECT coalesce(sum(importe_cents - devuelto_cents), 0) FROM pagos g WHERE g.pedido_id = p.id AND g.estado = 'pagado')
      - p.reembolsado_cents - CASE WHEN p.deleted_at IS NULL THEN p.precio_total_cents - p.devuelto_cents ELSE 0 END)`,
    where: sql`p.estado <> 'cancelado' AND (p.pagado_cents > 0 OR p.por_reembolsar_cents > 0)`,
  }),
  ofOrder('por_reembolsar_desde', 'Lo que se debe de cada pedido dice desde cuándo', 'texto', {
    hay: sql`CASE WHEN p.por_reembolsar_at IS NULL THEN 'sin fecha' ELSE 'con fecha' END`,
    esperado: sql`CASE WHEN p.por_reembolsar_cents > 0 THEN 'con fecha' ELSE 'sin fecha' END`,
  }),
  ofOrder('para_facturar', 'Lo que hay para facturar de cada pedido suma lo que el cliente se queda', 'euros', {
    hay: sql`(SELECT sum(f.total_cents) FROM facturables f WHERE f.pedido_id = p.id)`,
    esperado: sql`CASE WHEN p.estado = 'completado' AND p.deleted_at IS NULL THEN p.precio_total_cents - p.devuelto_cents ELSE 0 END`,
    // Skips orders whose last change has not been processed yet, and orders without rows to invoice, because VAT may be off.
    where: sql`EXISTS (SELECT FROM facturables f WHERE f.pedido_id = p.id) AND EXISTS (SELECT FROM cambios c, facturables_seguimiento s
      WHERE c.tipo = 'pedido' AND c.entidad_id = p.id AND (c.xid, c.entidad_id) <= (s.xid::xid8, s.pedido_id))`,
  }),
  ofOrder('en_empresa', 'Cada pedido por entregar está en manos de la empresa de su último envío', 'texto', {
    hay: sql`coalesce(p.en_empresa, 'ninguna')`,
    esperado: sql`coalesce((SELECT e.empresa FROM envios_pedidos l JOIN envios e ON e.id = l.envio_id
      WHERE l.pedido_id = p.id AND l.sacado_at IS NULL ORDER BY e.created_at DESC, e.id LIMIT 1), 'ninguna')`,
    where: sql`p.deleted_at IS NULL AND p.estado IN (${sql.join(ABIERTOS)})`,
  }),
  ofOrder('estado', 'El estado de cada pedido es el último de su historial', 'texto', {
    hay: estadoLabelSql(sql`p.estado`),
    esperado: estadoLabelSql(sql`h.estado_nuevo`),
    // Skips orders without history, which were not created by Enruta.
    from: sql` JOIN LATERAL (
      SELECT estado_nuevo FROM pedidos_historial WHERE pedido_id = p.id AND estado_nuevo IS NOT NULL
      ORDER BY created_at DESC, id DESC LIMIT 1) h ON true`,
  }),
  ofOrder('busqueda', 'Cada pedido se encuentra por sus datos de ahora', 'texto', {
    // Does not show the text itself, which is personal data.
    hay: sql`CASE WHEN b.texto IS NULL THEN 'sin texto de búsqueda' WHEN b.texto = texto_busqueda(p) || texto_lineas(p.id) THEN 'sus datos' ELSE 'otros datos' END`,
    esperado: sql`'sus datos'`,
    from: sql` LEFT JOIN pedidos_busqueda b ON b.pedido_id = p.id`,
  }),
];
