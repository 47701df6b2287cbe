import { type Kysely, sql } from 'kysely';

/** True if the program opens to the local network at each start, as a superadmin has said. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE settings ADD COLUMN red_siempre boolean NOT NULL DEFAULT false`.execute(db);
}
