import { type Kysely, sql } from 'kysely';

// Since when an order is in its carrier's vehicle (decision 066).
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`ALTER TABLE pedidos ADD COLUMN cargado_at timestamptz`.execute(db);
};
