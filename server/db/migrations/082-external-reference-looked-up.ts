import { type Kysely, sql } from 'kysely';

// A program finds its order by its own reference.
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`CREATE INDEX pedidos_referencia ON pedidos (referencia_externa) WHERE referencia_externa IS NOT NULL`.execute(db);
};
