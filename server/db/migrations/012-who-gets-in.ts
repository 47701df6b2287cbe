import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Failures now decay, so counts are fractions and have other keys.
  'DELETE FROM login_attempts',
  'ALTER TABLE login_attempts ALTER COLUMN failures TYPE double precision',
  'ALTER TABLE sessions ADD COLUMN device text',
  // No foreign key: sessions end long before subscriptions.
  'ALTER TABLE push_subscriptions ADD COLUMN session_hash text, ADD COLUMN user_agent text',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
