import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `CREATE TABLE product_pictures (
    product_id uuid PRIMARY KEY REFERENCES products ON DELETE CASCADE,
    content bytea NOT NULL CHECK (octet_length(content) BETWEEN 1 AND 30720),
    digest text NOT NULL GENERATED ALWAYS AS (md5(content)) STORED
  )`,
  'ALTER TABLE sessions ADD COLUMN remembered boolean NOT NULL DEFAULT false',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
