import { type Kysely, sql } from 'kysely';

const NOBODY = "'00000000-0000-0000-0000-000000000000'::uuid";
const AMBITOS = {
  todo: NOBODY,
  revendedor: `coalesce(revendedor, ${NOBODY})`,
  transportista: `coalesce(transportista, ${NOBODY})`,
};

const STATEMENTS = [
  // Each fold rewrites the rows of today and of all time; the fill factor leaves room for that.
  'ALTER TABLE pedidos_totales RENAME TO pedidos_totales_dia',
  'ALTER TABLE pedidos_totales_dia SET (fillfactor = 50)',
  // Changes since the last fold; appending needs neither locks nor indexes.
  `CREATE TABLE pedidos_totales_cambios (
    revendedor_id uuid,
    transportista_id uuid,
    dia date NOT NULL,
    estado text NOT NULL,
    pedidos bigint NOT NULL,
    total_cents bigint NOT NULL
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_insert_threshold = -1)`,

  'DROP FUNCTION pedidos_totales_filas(pedidos, int)',
  // Keys of the totals that an order counts in: overall, reseller and carrier, by day and all time.
  `CREATE FUNCTION pedidos_totales_claves(revendedor uuid, transportista uuid, dia date)
    RETURNS TABLE (ambito text, ambito_id uuid, dia_total date) LANGUAGE sql IMMUTABLE AS $$
    ${Object.entries(AMBITOS)
      .flatMap(([ambito, id]) => ['dia', "'0001-01-01'::date"].map((dia) => `SELECT '${ambito}', ${id}, ${dia}`))
      .join(' UNION ALL ')} $$`,
  `CREATE VIEW pedidos_totales AS
    SELECT ambito, ambito_id, dia, estado, pedidos, total_cents FROM pedidos_totales_dia
    UNION ALL
    SELECT k.ambito, k.ambito_id, k.dia_total, c.estado, c.pedidos, c.total_cents
    FROM pedidos_totales_cambios c, LATERAL pedidos_totales_claves(c.revendedor_id, c.transportista_id, c.dia) k`,
  `CREATE VIEW pedidos_contados AS
    SELECT revendedor_id, transportista_id, dia_negocio(fecha_pedido) AS dia, estado,
      count(*) AS pedidos, sum(precio_total_cents)::bigint AS total_cents
    FROM pedidos WHERE deleted_at IS NULL GROUP BY 1, 2, 3, 4`,

  `CREATE OR REPLACE FUNCTION pedidos_totales_trigger() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO pedidos_totales_cambios
        SELECT p.revendedor_id, p.transportista_id, dia_negocio(p.fecha_pedido), p.estado, p.signo, p.signo * p.precio_total_cents
        FROM (VALUES
          (OLD.revendedor_id, OLD.transportista_id, OLD.fecha_pedido, OLD.estado, OLD.precio_total_cents, OLD.deleted_at, -1),
          (NEW.revendedor_id, NEW.transportista_id, NEW.fecha_pedido, NEW.estado, NEW.precio_total_cents, NEW.deleted_at, 1)
        ) AS p (revendedor_id, transportista_id, fecha_pedido, estado, precio_total_cents, deleted_at, signo)
        -- An insert has no OLD, a delete no NEW.
        WHERE p.fecha_pedido IS NOT NULL AND p.deleted_at IS NULL;
      -- Some five hundred orders wait to be folded: wake the job.
      IF random() < 0.002 THEN PERFORM pg_notify('enruta_jobs', 'totales'); END IF;
      RETURN NULL;
    END $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
