import { type Kysely, sql } from 'kysely';

/** A promised date set by a superadmin no longer moves with the payment. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE pedidos ADD COLUMN fecha_estimada_fijada boolean NOT NULL DEFAULT false`.execute(db);
}
