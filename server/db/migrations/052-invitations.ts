import { type Kysely, sql } from 'kysely';

// Set while a person has not chosen a password by the link of an invitation; the link itself is a row of one_time_tokens.
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`ALTER TABLE users ADD COLUMN invited_at timestamptz`.execute(db);
};
