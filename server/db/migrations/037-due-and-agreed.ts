import { type Kysely, sql } from 'kysely';

/** As a literal: old lines of the ledger may break the new constraint. */
const now = new Date().toISOString();

const STATEMENTS = [
  // Value of the returns in cents: the whole order, or a share of the lines after discount.
  `CREATE FUNCTION valor_devuelto(pedido uuid, cantidad_devuelta int) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN valor_devuelto.cantidad_devuelta >= p.cantidad THEN p.precio_total_cents
      ELSE least(p.precio_total_cents, round(coalesce(v.devuelto * (v.todo - p.descuento_cents) / nullif(v.todo, 0), 0)))::bigint END
    FROM pedidos p, LATERAL (
      SELECT sum(l.precio_total_cents)::numeric AS todo, sum(l.precio_total_cents::numeric * coalesce(r.cantidad, 0) / l.cantidad) AS devuelto
      FROM pedidos_lineas l LEFT JOIN LATERAL (
        SELECT sum(x.cantidad) AS cantidad FROM devoluciones_lineas x JOIN devoluciones d ON d.id = x.devolucion_id
        WHERE d.pedido_id = l.pedido_id AND x.numero = l.numero AND d.anulada_at IS NULL) r ON true
      WHERE l.pedido_id = p.id) v
    WHERE p.id = pedido
  $$`,
  `ALTER TABLE pedidos
    ADD COLUMN devuelto_cents bigint NOT NULL DEFAULT 0,
    -- Whether somebody set the shipping, which otherwise follows the address.
    ADD COLUMN envio_fijado boolean NOT NULL DEFAULT true,
    ADD COLUMN transferencia_recordada_at timestamptz`,
  'UPDATE pedidos SET devuelto_cents = valor_devuelto(id, cantidad_devuelta) WHERE cantidad_devuelta > 0',
  // Single definition of the amount due: a return not yet refunded counts as paid.
  `ALTER TABLE pedidos
    ALTER COLUMN envio_fijado SET DEFAULT false,
    ADD CONSTRAINT pedidos_valor_devuelto CHECK (devuelto_cents BETWEEN 0 AND precio_total_cents),
    ADD COLUMN pendiente_cents bigint NOT NULL GENERATED ALWAYS AS (CASE WHEN estado = 'cancelado' THEN 0
      ELSE greatest(0, precio_total_cents - pagado_cents - greatest(0, devuelto_cents - reembolsado_cents)) END) STORED`,
  'DROP INDEX pedidos_sin_pagar',
  'CREATE INDEX pedidos_sin_pagar ON pedidos (fecha_pedido, id) WHERE deleted_at IS NULL AND pendiente_cents > 0',

  // One paid attempt per order and day, even if the carrier goes back and forth.
  `CREATE UNIQUE INDEX ganancias_un_intento ON ganancias (pedido_id, dia) WHERE concepto = 'intento' AND created_at > '${now}'`,
  // Basis of a margin: hundredths of a per cent of cents, or cents per pack.
  `ALTER TABLE ganancias
    ADD COLUMN margen_tipo text CHECK (margen_tipo IN ('porcentaje', 'pack')),
    ADD COLUMN margen_valor int,
    ADD COLUMN margen_base bigint,
    ADD CHECK ((margen_tipo IS NULL) = (margen_valor IS NULL) AND (margen_tipo IS NULL) = (margen_base IS NULL)),
    ADD CHECK (margen_tipo IS NULL OR concepto = 'margen')`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
