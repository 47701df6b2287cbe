import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'ALTER TABLE api_keys ADD COLUMN creada_por_id uuid REFERENCES users (id)',
  `UPDATE api_keys k SET creada_por_id = u.id FROM audit_logs a JOIN users u ON u.id = a.actor_user_id
    WHERE a.entity_type = 'apikey' AND a.action = 'create' AND a.entity_id = k.id::text`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
