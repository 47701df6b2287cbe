import { type Kysely, sql } from 'kysely';

/** Logo of the business: at most one row, apart from the settings, which every request reads. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE logo_empresa (
    id boolean PRIMARY KEY DEFAULT true CHECK (id),
    content bytea NOT NULL CHECK (octet_length(content) BETWEEN 1 AND 30720),
    digest text NOT NULL GENERATED ALWAYS AS (md5(content)) STORED
  )`.execute(db);
}
