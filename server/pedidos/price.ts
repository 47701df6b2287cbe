import type { Db, Tx } from '../db/open.ts';
import { invalid } from '../kit/errors.ts';

/** What an order of `cantidad` packs costs (cents) and takes from the stock (units). Throws 422 unless pack and product are active. */
export async function priceOf(db: Db | Tx, packId: string | null, cantidad: number) {
  const pack = packId
    ? await db
        .selectFrom('product_packs as k')
        .innerJoin('products as p', 'p.id', 'k.product_id')
        .select(['k.id', 'k.product_id', 'k.name', 'k.pack_quantity', 'k.pack_price_cents', 'p.name as product_name'])
        .where('k.id', '=', packId)
        .where('k.is_active', '=', true)
        .where('p.is_active', '=', true)
        .executeTakeFirst()
    : undefined;
  if (!pack) throw invalid('pack_id', 'Selecciona un pack válido');
  return {
    pack_id: pack.id,
    product_id: pack.product_id,
    /** The label of section 2.14 of the specification. */
    producto: `${pack.product_name} – ${pack.name}`,
    unidades_retenidas: cantidad * pack.pack_quantity,
    precio_unitario_cents: pack.pack_price_cents,
    precio_total_cents: pack.pack_price_cents * cantidad,
  };
}
