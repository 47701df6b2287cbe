import { sql } from 'kysely';
import type { Tx } from '../db/open.ts';
import type { WebLine } from './order.ts';

/** Packs of the shop's products, by their key, as a person named them. */
export async function packsByClave(tx: Pick<Tx, 'selectFrom'>, lineas: readonly WebLine[]): Promise<Map<string, string>> {
  const claves = [...new Set(lineas.flatMap(({ clave, isFee }) => (isFee ? [] : [clave])))];
  const rows = await tx
    .selectFrom('tienda_productos')
    .select(['clave', 'pack_id'])
    .where('clave', '=', sql<string>`ANY (${claves}::text[])`)
    .execute();
  return new Map(rows.map(({ clave, pack_id }) => [clave, pack_id]));
}
