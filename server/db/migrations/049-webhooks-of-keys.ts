import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Deleted with its key: without an owner it would be the shop's, with all its rights.
  await sql`ALTER TABLE webhooks ADD COLUMN api_key_id uuid REFERENCES api_keys ON DELETE CASCADE`.execute(db);
}
