import { type Kysely, sql } from 'kysely';

/** Imports with their orders as they were created, so that one can be undone whole while none has moved. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE importaciones (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id uuid REFERENCES users ON DELETE SET NULL,
    pedidos uuid[] NOT NULL,
    -- Of each order, in the same place.
    versiones integer[] NOT NULL CHECK (cardinality(versiones) = cardinality(pedidos)),
    deshecha_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now()
  )`.execute(db);
  await sql`CREATE INDEX importaciones_recientes ON importaciones (created_at)`.execute(db);
}
