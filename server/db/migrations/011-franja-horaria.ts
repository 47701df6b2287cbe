import { type Kysely, sql } from 'kysely';

/** Delivery window in the customer's words. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE pedidos ADD COLUMN franja_horaria text`.execute(db);
}
