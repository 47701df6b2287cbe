import { type Kysely, sql } from 'kysely';

// When a carrier's step happened, if not when it was recorded; and what the telephone said, if it was out of bounds (decision 063).
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`ALTER TABLE pedidos_historial ADD COLUMN ocurrido_at timestamptz, ADD COLUMN ocurrido_dicho timestamptz`.execute(db);
};
