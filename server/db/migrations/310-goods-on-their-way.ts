import { type Kysely, sql } from 'kysely';

/** Creates the index of the goods on their way back, which «Hoy» counts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX pedidos_mercancia ON pedidos (mercancia_at) WHERE mercancia_at IS NOT NULL`.execute(db);
}
