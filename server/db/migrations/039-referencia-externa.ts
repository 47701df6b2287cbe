import { type Kysely, sql } from 'kysely';

/** The number that the order has in another program. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE pedidos ADD COLUMN referencia_externa text`.execute(db);
}
