import { type Kysely, sql } from 'kysely';

/** Replaces a part of a function of migration 031; fails unless the part occurs exactly once. */
const rewrite = (name: string, part: string, by: string) => `
  DO $do$ DECLARE def text := pg_get_functiondef('${name}'::regproc); BEGIN
    IF array_length(string_to_array(def, '${part}'), 1) <> 2 THEN RAISE EXCEPTION '${name} is not what it was'; END IF;
    EXECUTE replace(def, '${part}', '${by}');
  END $do$`;

const STATEMENTS = [
  // Concurrent joins left chains and circles: a chain joins its end, a circle its first customer.
  `WITH RECURSIVE camino AS (
      SELECT id, id AS fin, unido_a AS sigue, ARRAY[id] AS pasados FROM clientes WHERE unido_a IS NOT NULL
      UNION ALL
      SELECT w.id, c.id, c.unido_a, w.pasados || c.id FROM camino w JOIN clientes c ON c.id = w.sigue WHERE c.id <> ALL (w.pasados)),
    raiz AS (
      SELECT DISTINCT ON (id) id, CASE WHEN sigue IS NULL THEN fin ELSE (SELECT p FROM unnest(pasados) p ORDER BY p LIMIT 1) END AS principal
      FROM camino ORDER BY id, cardinality(pasados) DESC)
    UPDATE clientes c SET unido_a = nullif(r.principal, c.id) FROM raiz r
    WHERE r.id = c.id AND c.unido_a IS DISTINCT FROM nullif(r.principal, c.id)`,
  'SET CONSTRAINTS ALL IMMEDIATE',
  // The referenced row must be a main one, so joins have one level.
  `ALTER TABLE clientes
    ADD COLUMN es_principal boolean NOT NULL GENERATED ALWAYS AS (unido_a IS NULL) STORED,
    ADD COLUMN unido_a_principal boolean GENERATED ALWAYS AS (CASE WHEN unido_a IS NOT NULL THEN true END) STORED`,
  'ALTER TABLE clientes ADD CONSTRAINT clientes_id_principal UNIQUE (id, es_principal)',
  `ALTER TABLE clientes ADD CONSTRAINT clientes_un_nivel FOREIGN KEY (unido_a, unido_a_principal)
    REFERENCES clientes (id, es_principal) DEFERRABLE INITIALLY DEFERRED`,
  `UPDATE clientes c SET bloqueado_motivo = g.motivo FROM (
      SELECT principal, string_agg(DISTINCT bloqueado_motivo, ' · ') AS motivo FROM clientes WHERE bloqueado_motivo IS NOT NULL GROUP BY principal) g
    WHERE c.principal = g.principal AND c.bloqueado_motivo IS NULL`,
  // One lock order for all: joined customers first, then main ones, each by id, as a new order locks them.
  rewrite('contar_clientes', 'ORDER BY id FOR NO KEY UPDATE', 'ORDER BY unido_a IS NULL, id FOR NO KEY UPDATE'),
  rewrite('pedidos_cliente_trigger', 'ORDER BY c.id FOR UPDATE', 'ORDER BY c.unido_a IS NULL, c.id FOR UPDATE'),
  // Recounts totals that followed the chains.
  'SELECT contar_clientes(ARRAY(SELECT DISTINCT principal FROM clientes WHERE unido_a IS NOT NULL))',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
