import { type Kysely, sql } from 'kysely';

/** `sin_comprobar`: missing proofs of a delivery recorded late (decision 091). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE entregas ADD COLUMN sin_comprobar text[] NOT NULL DEFAULT '{}'`.execute(db);
}
