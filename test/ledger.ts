import type { Db } from '../server/db/open.ts';

/** A product's stock and the sum of its movements, which must be equal. */
export async function balance(db: Db, productId: string): Promise<{ stock: number; ledger: number }> {
  const { stock } = await db.selectFrom('products').select('stock').where('id', '=', productId).executeTakeFirstOrThrow();
  const { ledger } = await db
    .selectFrom('stock_movements')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('unidades'), eb.lit(0)).as('ledger'))
    .where('product_id', '=', productId)
    .executeTakeFirstOrThrow();
  return { stock, ledger };
}
