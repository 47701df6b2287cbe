import { type Kysely, sql } from 'kysely';

/** Tax number of the customer of an order, for its invoice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE pedidos ADD COLUMN cliente_nif text`.execute(db);
}
