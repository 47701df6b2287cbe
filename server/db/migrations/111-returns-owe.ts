import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Refund that the shop keeps with a reason, which is sold again, and refund beyond the value, which is a discount (decision 101).
  `ALTER TABLE devoluciones
    ADD COLUMN retenido_cents bigint NOT NULL DEFAULT 0 CHECK (retenido_cents BETWEEN 0 AND 1000000000000),
    ADD COLUMN retenido_motivo text CHECK (char_length(retenido_motivo) <= 1000),
    ADD COLUMN de_mas_cents bigint NOT NULL DEFAULT 0 CHECK (de_mas_cents BETWEEN 0 AND 1000000000000)`,
  // Value of the returns in cents, as of migration 110, with refunds beyond it and without what is kept.
  `CREATE OR REPLACE FUNCTION valor_devuelto(pedido uuid, cantidad_devuelta int) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT greatest(0, least(p.precio_total_cents, d.de_mas + CASE WHEN valor_devuelto.cantidad_devuelta >= p.cantidad THEN p.precio_total_cents
      ELSE round(round(tras_descuento(v.devuelto, v.todo, p.descuento_cents), 9)) END) - d.retenido)::bigint
    FROM pedidos p, LATERAL (
      SELECT coalesce(sum(de_mas_cents), 0) AS de_mas, coalesce(sum(retenido_cents), 0) AS retenido
      FROM devoluciones WHERE pedido_id = p.id AND anulada_at IS NULL) d, LATERAL (
      SELECT sum(l.precio_total_cents)::numeric AS todo, sum(l.precio_total_cents::numeric * coalesce(r.cantidad, 0) / l.cantidad) AS devuelto
      FROM pedidos_lineas l LEFT JOIN LATERAL (
        SELECT sum(x.cantidad) AS cantidad FROM devoluciones_lineas x JOIN devoluciones d ON d.id = x.devolucion_id
        WHERE d.pedido_id = l.pedido_id AND x.numero = l.numero AND d.anulada_at IS NULL) r ON true
      WHERE l.pedido_id = p.id) v
    WHERE p.id = pedido
  $$`,
  // Money to give back: all that a deleted order was paid, or what was paid beyond the total less the returns.
  `CREATE FUNCTION por_reembolsar(estado text, deleted_at timestamptz, pagado bigint, reembolsado bigint, total bigint, devuelto bigint)
    RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN estado = 'cancelado' THEN 0 WHEN deleted_at IS NOT NULL THEN greatest(0, pagado - reembolsado)
      ELSE greatest(0, pagado - reembolsado - total + devuelto) END
  $$`,
  // The index goes with its column.
  'ALTER TABLE pedidos DROP COLUMN por_reembolsar_cents, DROP COLUMN sin_entregar_cents',
  `ALTER TABLE pedidos ADD COLUMN por_reembolsar_cents bigint NOT NULL GENERATED ALWAYS AS (
    por_reembolsar(estado, deleted_at, pagado_cents, reembolsado_cents, precio_total_cents, devuelto_cents)) STORED`,
  'CREATE INDEX pedidos_por_reembolsar ON pedidos (id) WHERE por_reembolsar_cents > 0',
  // Since when money is to be given back: the term begins then. Generated columns have no value yet in a trigger BEFORE.
  'DROP TRIGGER pedidos_sobra ON pedidos',
  'DROP FUNCTION pedidos_sobra_trigger',
  'ALTER TABLE pedidos RENAME COLUMN sobra_at TO por_reembolsar_at',
  `UPDATE pedidos SET por_reembolsar_at = CASE WHEN por_reembolsar_cents > 0 THEN coalesce(deleted_at, por_reembolsar_at,
      (SELECT max(created_at) FROM devoluciones d WHERE d.pedido_id = pedidos.id AND d.anulada_at IS NULL), now()) END
    WHERE por_reembolsar_cents > 0 OR por_reembolsar_at IS NOT NULL`,
  `CREATE FUNCTION pedidos_por_reembolsar_trigger() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.por_reembolsar_at := CASE WHEN por_reembolsar(NEW.estado, NEW.deleted_at, NEW.pagado_cents, NEW.reembolsado_cents,
        NEW.precio_total_cents, NEW.devuelto_cents) > 0 THEN coalesce(OLD.por_reembolsar_at, now()) END;
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER pedidos_por_reembolsar
    BEFORE UPDATE OF precio_total_cents, pagado_cents, reembolsado_cents, devuelto_cents, estado, deleted_at ON pedidos FOR EACH ROW
    WHEN (NEW.por_reembolsar_at IS NOT NULL OR NEW.pagado_cents > 0) EXECUTE FUNCTION pedidos_por_reembolsar_trigger()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
