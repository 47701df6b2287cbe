import { type Kysely, sql } from 'kysely';

const RATE = sql`iva text CHECK (iva IN ('21', '10', '4', '0', 'exento'))`;

/** Rate of VAT of a product, and of each line since it was priced; null: none was given. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE products ADD COLUMN ${RATE}`.execute(db);
  await sql`ALTER TABLE pedidos_lineas ADD COLUMN ${RATE}`.execute(db);
}
