import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // The host that refused the last attempt.
  'ALTER TABLE outbox ADD COLUMN host text',
];

/** Where a message is stuck. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
