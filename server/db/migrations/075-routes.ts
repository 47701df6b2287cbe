import { type Kysely, sql } from 'kysely';

// A carrier's orders of a day in the order of the visit (decision 075).
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`CREATE TABLE rutas (
    transportista_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    dia date NOT NULL,
    pedidos uuid[] NOT NULL,
    primera uuid,
    ultima uuid,
    ordenada_at timestamptz NOT NULL,
    PRIMARY KEY (transportista_id, dia)
  )`.execute(db);
};
