import { type Kysely, sql } from 'kysely';

// Last report of carriers' telephones about orders with unsent steps (decision 064); no row once everything is sent.
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`CREATE TABLE sin_enviar (
    user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    pedidos int NOT NULL CHECK (pedidos BETWEEN 1 AND 9999),
    desde timestamptz NOT NULL,
    visto_at timestamptz NOT NULL DEFAULT now(),
    avisado_dia date
  )`.execute(db);
};
