import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE pedidos ADD COLUMN aviso_cliente text`.execute(db);
}
