import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'ALTER TABLE users ADD COLUMN zonas text',
  // Same rules as inZonas and delivers of contract/zonas/reparto.ts.
  `CREATE FUNCTION en_zonas(zonas text, postcode text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(regexp_replace(postcode, '\\s', '', 'g') LIKE ANY (string_to_array(replace(zonas, '*', '%'), ', ')), false)
  $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
