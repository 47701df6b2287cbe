import { type Kysely, sql } from 'kysely';

/** `fuera_at`: when the copy in the bucket was read back and found equal. `fuera_error`: why the last try failed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE backups ADD COLUMN fuera_at timestamptz, ADD COLUMN fuera_error text`.execute(db);
}
