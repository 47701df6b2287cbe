import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // A line that was not delivered says why; several reasons may share a line.
  `ALTER TABLE devoluciones_lineas
    ADD COLUMN motivo text NOT NULL DEFAULT '' CHECK (motivo IN ('', 'rechazado', 'falta', 'danado')),
    DROP CONSTRAINT devoluciones_lineas_pkey,
    ADD PRIMARY KEY (devolucion_id, numero, destino, motivo)`,
  // The order in which the rest is delivered; at most one.
  'ALTER TABLE devoluciones ADD COLUMN resto_pedido_id uuid UNIQUE REFERENCES pedidos',
  // Rounds at nine decimals first, or half a cent would fall to either side: a phone without coverage reckons the same (contract/devoluciones/fields.ts).
  `CREATE OR REPLACE FUNCTION valor_devuelto(pedido uuid, cantidad_devuelta int) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN valor_devuelto.cantidad_devuelta >= p.cantidad THEN p.precio_total_cents
      ELSE least(p.precio_total_cents, round(round(coalesce(v.devuelto * (v.todo - p.descuento_cents) / nullif(v.todo, 0), 0), 9)))::bigint END
    FROM pedidos p, LATERAL (
      SELECT sum(l.precio_total_cents)::numeric AS todo, sum(l.precio_total_cents::numeric * coalesce(r.cantidad, 0) / l.cantidad) AS devuelto
      FROM pedidos_lineas l LEFT JOIN LATERAL (
        SELECT sum(x.cantidad) AS cantidad FROM devoluciones_lineas x JOIN devoluciones d ON d.id = x.devolucion_id
        WHERE d.pedido_id = l.pedido_id AND x.numero = l.numero AND d.anulada_at IS NULL) r ON true
      WHERE l.pedido_id = p.id) v
    WHERE p.id = pedido
  $$`,
  `UPDATE pedidos SET devuelto_cents = valor_devuelto(id, cantidad_devuelta)
    WHERE cantidad_devuelta > 0 AND devuelto_cents <> valor_devuelto(id, cantidad_devuelta)`,
  `ALTER TABLE pedidos
    ADD COLUMN entrega_parcial boolean NOT NULL DEFAULT false,
    ADD COLUMN por_reembolsar_cents bigint NOT NULL GENERATED ALWAYS AS (
      CASE WHEN entrega_parcial AND estado = 'completado'
        THEN greatest(0, pagado_cents - reembolsado_cents - (precio_total_cents - devuelto_cents)) ELSE 0 END) STORED`,
  'CREATE INDEX pedidos_por_reembolsar ON pedidos (id) WHERE por_reembolsar_cents > 0 AND deleted_at IS NULL',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
