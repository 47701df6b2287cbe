import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Value of one return in cents, with the rounding of `valor_devuelto`.
  `CREATE FUNCTION valor_devolucion(devolucion uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT coalesce((
      SELECT round(round(coalesce(
        sum(l.precio_total_cents::numeric * x.cantidad / l.cantidad) * (t.todo - p.descuento_cents) / nullif(t.todo, 0), 0), 9))::bigint
      FROM devoluciones d JOIN pedidos p ON p.id = d.pedido_id JOIN devoluciones_lineas x ON x.devolucion_id = d.id
        JOIN pedidos_lineas l ON l.pedido_id = p.id AND l.numero = x.numero,
        LATERAL (SELECT sum(precio_total_cents)::numeric AS todo FROM pedidos_lineas WHERE pedido_id = p.id) t
      WHERE d.id = devolucion GROUP BY t.todo, p.descuento_cents), 0)
  $$`,
  // Value that a delivery left out less its refunds; negative if an overpayment was refunded with it.
  'ALTER TABLE pedidos ADD COLUMN sin_entregar_cents bigint NOT NULL DEFAULT 0',
  `UPDATE pedidos SET sin_entregar_cents = d.cents FROM (
      SELECT pedido_id, sum(valor_devolucion(id) - reembolso_cents)::bigint AS cents FROM devoluciones
      WHERE motivo = 'entrega_parcial' AND anulada_at IS NULL GROUP BY pedido_id) d
    WHERE d.pedido_id = pedidos.id`,
  // The index goes with its column. Never more than a refund may be, so that the office can always settle it.
  'ALTER TABLE pedidos DROP COLUMN por_reembolsar_cents',
  `ALTER TABLE pedidos
    ADD COLUMN por_reembolsar_cents bigint NOT NULL GENERATED ALWAYS AS (
      CASE WHEN entrega_parcial AND estado = 'completado' THEN greatest(0, least(
        pagado_cents - precio_total_cents + sin_entregar_cents,
        least(pagado_cents, precio_total_cents) - reembolsado_cents)) ELSE 0 END) STORED`,
  'CREATE INDEX pedidos_por_reembolsar ON pedidos (id) WHERE por_reembolsar_cents > 0 AND deleted_at IS NULL',
  // Return that this payment settles.
  'ALTER TABLE pagos ADD COLUMN devolucion_id uuid REFERENCES devoluciones',
  `UPDATE pagos SET devolucion_id = d.id FROM devoluciones d JOIN pedidos p ON p.id = d.pedido_id
    WHERE d.resto_pedido_id = pagos.pedido_id AND pagos.proveedor = 'manual' AND pagos.referencia = 'Del pedido ' || p.numero_orden`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
