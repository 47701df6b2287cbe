import { type Kysely, sql } from 'kysely';

/** Adds the earlier statements of which a statement repeats movements: they are not undone before it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE extractos ADD COLUMN repite uuid[] NOT NULL DEFAULT '{}'`.execute(db);
}
