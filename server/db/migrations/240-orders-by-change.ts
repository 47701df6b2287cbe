import { type Kysely, sql } from 'kysely';

// Programs list what changed since an instant, in the order of the changes.
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`CREATE INDEX pedidos_modificado ON pedidos (updated_at, id) WHERE deleted_at IS NULL`.execute(db);
};
