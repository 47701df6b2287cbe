import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // The host that refused the last attempt.
  'ALTER TABLE outbox ADD COLUMN host text',
  // Keys belong to any request, not to new orders alone; the answer is encrypted, and null once it is withdrawn.
  'ALTER TABLE idempotency_keys DROP COLUMN pedido_id, ADD COLUMN respuesta text',
];

/** Where a message is stuck; keys of any request, with its answer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
