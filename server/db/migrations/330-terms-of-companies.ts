import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Days after the delivery in which a company pays what it collected.
  `CREATE TABLE empresas_plazos (
    empresa text PRIMARY KEY CHECK (char_length(empresa) BETWEEN 1 AND 80),
    dias int NOT NULL CHECK (dias BETWEEN 0 AND 365)
  )`,
  // Rows of a company's sheet that are of no payment: the company paid them, or kept them, all the same.
  `ALTER TABLE remesas
    ADD COLUMN aparte_cents bigint NOT NULL DEFAULT 0 CHECK (aparte_cents BETWEEN -1000000000000 AND 1000000000000),
    ADD COLUMN aparte jsonb NOT NULL DEFAULT '[]'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
