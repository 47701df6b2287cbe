import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Account to which statements are paid.
  await sql`ALTER TABLE users ADD COLUMN iban text`.execute(db);
}
