import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Holder of the account to which statements are paid, as the bank has the name; null: the person's own name.
  await sql`ALTER TABLE users ADD COLUMN titular text`.execute(db);
}
