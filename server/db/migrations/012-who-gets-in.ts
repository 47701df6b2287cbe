import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Failures fade, so a count is no whole number; they count by other keys from here on.
  'DELETE FROM login_attempts',
  'ALTER TABLE login_attempts ALTER COLUMN failures TYPE double precision',
  // The browser that a session was opened in, whose failures count apart.
  'ALTER TABLE sessions ADD COLUMN device text',
  // The session that a browser was subscribed in (no key: sessions end long before subscriptions), and which browser.
  'ALTER TABLE push_subscriptions ADD COLUMN session_hash text, ADD COLUMN user_agent text',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
