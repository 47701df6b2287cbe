import { type Kysely, sql } from 'kysely';

/** `sin_comprobar`: what a delivery recorded late lacks of its proof (decision 091). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE entregas ADD COLUMN sin_comprobar text[] NOT NULL DEFAULT '{}'`.execute(db);
}
