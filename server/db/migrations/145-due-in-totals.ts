import { type Kysely, sql } from 'kysely';

/* What is to be collected stands in the daily totals: orders of which something is due, and its cents. */

const STATEMENTS = [
  'LOCK TABLE pedidos IN SHARE ROW EXCLUSIVE MODE',
  ...['dia', 'cambios'].map(
    (part) =>
      `ALTER TABLE pedidos_totales_${part} ADD COLUMN por_cobrar bigint NOT NULL DEFAULT 0, ADD COLUMN por_cobrar_cents bigint NOT NULL DEFAULT 0`,
  ),
  `CREATE OR REPLACE VIEW pedidos_totales AS
    SELECT ambito, ambito_id, dia, estado, pedidos, total_cents, por_cobrar, por_cobrar_cents FROM pedidos_totales_dia
    UNION ALL
    SELECT k.ambito, k.ambito_id, k.dia_total, c.estado, c.pedidos, c.total_cents, c.por_cobrar, c.por_cobrar_cents
    FROM pedidos_totales_cambios c, LATERAL pedidos_totales_claves(c.revendedor_id, c.transportista_id, c.dia) k`,
  `CREATE OR REPLACE VIEW pedidos_contados AS
    SELECT revendedor_id, transportista_id, dia_negocio(fecha_pedido) AS dia, estado,
      count(*) AS pedidos, sum(precio_total_cents)::bigint AS total_cents,
      count(*) FILTER (WHERE pendiente_cents > 0) AS por_cobrar,
      coalesce(sum(pendiente_cents) FILTER (WHERE pendiente_cents > 0), 0)::bigint AS por_cobrar_cents
    FROM pedidos WHERE deleted_at IS NULL GROUP BY 1, 2, 3, 4`,
  // As of migration 017, with what is due.
  `CREATE OR REPLACE FUNCTION pedidos_totales_trigger() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO pedidos_totales_cambios
        SELECT p.revendedor_id, p.transportista_id, dia_negocio(p.fecha_pedido), p.estado, p.signo, p.signo * p.precio_total_cents,
          p.signo * (p.pendiente_cents > 0)::int, p.signo * greatest(p.pendiente_cents, 0)
        FROM (VALUES
          (OLD.revendedor_id, OLD.transportista_id, OLD.fecha_pedido, OLD.estado, OLD.precio_total_cents, OLD.pendiente_cents, OLD.deleted_at, -1),
          (NEW.revendedor_id, NEW.transportista_id, NEW.fecha_pedido, NEW.estado, NEW.precio_total_cents, NEW.pendiente_cents, NEW.deleted_at, 1)
        ) AS p (revendedor_id, transportista_id, fecha_pedido, estado, precio_total_cents, pendiente_cents, deleted_at, signo)
        WHERE p.fecha_pedido IS NOT NULL AND p.deleted_at IS NULL;
      IF random() < 0.002 THEN PERFORM pg_notify('enruta_jobs', 'totales'); END IF;
      RETURN NULL;
    END $$`,
  'DROP TRIGGER pedidos_totales_update ON pedidos',
  `CREATE TRIGGER pedidos_totales_update AFTER UPDATE ON pedidos FOR EACH ROW
    WHEN ((OLD.estado, OLD.revendedor_id, OLD.transportista_id, OLD.fecha_pedido, OLD.precio_total_cents, OLD.pendiente_cents, OLD.deleted_at)
      IS DISTINCT FROM
      (NEW.estado, NEW.revendedor_id, NEW.transportista_id, NEW.fecha_pedido, NEW.precio_total_cents, NEW.pendiente_cents, NEW.deleted_at))
    EXECUTE FUNCTION pedidos_totales_trigger()`,
  `INSERT INTO pedidos_totales_cambios
    SELECT revendedor_id, transportista_id, dia, estado, 0, 0, por_cobrar, por_cobrar_cents FROM pedidos_contados WHERE por_cobrar > 0`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
