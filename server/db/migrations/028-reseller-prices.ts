import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `CREATE TABLE precios_revendedor (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    pack_id uuid NOT NULL REFERENCES product_packs,
    revendedor_id uuid NOT NULL REFERENCES users,
    -- The first day on which it counts, until the next one.
    desde date NOT NULL,
    precio_cents bigint NOT NULL CHECK (precio_cents BETWEEN 0 AND 100000000),
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (pack_id, revendedor_id, desde)
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
