import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'ALTER TABLE outbox ADD COLUMN host text',
  // The response is encrypted; null once withdrawn.
  'ALTER TABLE idempotency_keys DROP COLUMN pedido_id, ADD COLUMN respuesta text',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
