import { type Kysely, sql } from 'kysely';

// Photos that a failed attempt announces; the files are proofs of its order.
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`ALTER TABLE intentos ADD COLUMN anunciadas jsonb NOT NULL DEFAULT '[]'`.execute(db);
};
