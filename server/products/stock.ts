import { type Actor, rolesOf } from '../../contract/policy.ts';
import type { Tx } from '../db/open.ts';
import { invalid } from '../kit/errors.ts';
import { emit } from '../live/emit.ts';
import { notify } from '../notifications/notify.ts';

type StockMove = {
  product_id: string;
  /** Signed units of the product, not packs: negative leaves the warehouse. */
  unidades: number;
  motivo: 'inicial' | 'ajuste' | 'pedido' | 'devolucion' | 'restauracion';
  pedido_id?: string | null;
  nota?: string | null;
};

// The column's own bound, so that a sum beyond it is an answer and not a failure.
const MAX_STOCK = 2_000_000_000;

/**
 * Moves units in or out of a product's stock and writes the movement into the ledger; returns the new stock.
 * For 0 units no movement is written. Throws 422 when the stock does not suffice or the product is unknown
 * (design, section 4.4). Whoever moves several products in one transaction does it in the order of their ids.
 */
export async function moveStock(tx: Tx, { product_id, unidades, motivo, pedido_id, nota }: StockMove, actor: Actor): Promise<number> {
  // The guard stands inside the UPDATE: two orders for the last units cannot both pass it.
  const moved = await tx
    .updateTable('products')
    .set((eb) => ({ stock: eb('stock', '+', unidades) }))
    .where('id', '=', product_id)
    .where('stock', '>=', Math.max(0, -unidades))
    .where('stock', '<=', Math.min(MAX_STOCK, MAX_STOCK - unidades))
    .returning(['stock', 'min_stock', 'name'])
    .executeTakeFirst();
  if (!moved) throw await refusal(tx, product_id, unidades, motivo);
  if (unidades !== 0) {
    await tx
      .insertInto('stock_movements')
      .values({
        product_id,
        unidades,
        motivo,
        pedido_id: pedido_id ?? null,
        nota: nota ?? null,
        actor_user_id: actor.id,
        actor_nombre: actor.full_name,
      })
      .execute();
  }
  await emit(tx, { topic: 'products', roles: rolesOf('pack:read') });
  // Said once, when the stock falls to its minimum, and not at every order below it.
  if (moved.stock <= moved.min_stock && moved.stock - unidades > moved.min_stock) {
    await notify(tx, {
      tipo: 'stock_bajo',
      texto: `Stock bajo: quedan ${moved.stock} unidades de ${moved.name}`,
      roles: ['superadmin'],
      enlace: '/control-stock?bajo=si',
      mail: true,
    });
  }
  return moved.stock;
}

async function refusal(tx: Tx, productId: string, unidades: number, motivo: StockMove['motivo']) {
  const product = await tx.selectFrom('products').select('stock').where('id', '=', productId).executeTakeFirst();
  if (!product) return invalid('product_id', 'El producto no existe');
  // In the order's form the field that asks for too much is the quantity.
  const field = motivo === 'inicial' || motivo === 'ajuste' ? 'stock' : 'cantidad';
  if (unidades > 0) return invalid(field, 'El stock no puede ser tan grande');
  const left = product.stock === 1 ? 'queda 1 unidad' : `quedan ${product.stock.toLocaleString('es-ES')} unidades`;
  return invalid(field, `Stock insuficiente: ${left}`);
}
