import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Answers of companies, each of which can be taken back whole for a day.
  `CREATE TABLE respuestas (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    envio_id uuid NOT NULL REFERENCES envios ON DELETE CASCADE,
    leida_por_nombre text NOT NULL,
    -- Of the batch, before this answer.
    respondido_antes_at timestamptz,
    deshecha_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`,
  'CREATE INDEX respuestas_envio ON respuestas (envio_id, created_at)',
  // What an answer did to an order, and what it overwrote.
  `CREATE TABLE respuestas_pedidos (
    respuesta_id uuid NOT NULL REFERENCES respuestas ON DELETE CASCADE,
    pedido_id uuid NOT NULL REFERENCES pedidos ON DELETE CASCADE,
    resultado text NOT NULL CHECK (resultado IN ('completar', 'incidencia')),
    hecho jsonb,
    PRIMARY KEY (respuesta_id, pedido_id)
  )`,
  'CREATE INDEX respuestas_pedidos_pedido ON respuestas_pedidos (pedido_id)',
  // The fee of an attempt can have a counter-entry of the same day.
  `DO $$ DECLARE definition text := pg_get_indexdef('ganancias_un_intento'::regclass);
    BEGIN
      DROP INDEX ganancias_un_intento;
      EXECUTE definition || ' AND anula_id IS NULL';
    END $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
