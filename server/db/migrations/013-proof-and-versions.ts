import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // server/session/sessions.ts sets how long the proof is valid.
  'ALTER TABLE sessions ADD COLUMN proven_at timestamptz',
  // Invalidates cached sessions, which would ask again for a proof given on another instance.
  `CREATE TRIGGER sesiones_prueban AFTER UPDATE OF proven_at ON sessions
    FOR EACH STATEMENT EXECUTE FUNCTION sesiones_cambian()`,
  'ALTER TABLE users ADD COLUMN version int NOT NULL DEFAULT 1',
  'ALTER TABLE products ADD COLUMN version int NOT NULL DEFAULT 1',
  'ALTER TABLE product_packs ADD COLUMN version int NOT NULL DEFAULT 1',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
