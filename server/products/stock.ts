import { sql } from 'kysely';
import { type Actor, rolesOf } from '../../contract/policy/policy.ts';
import { wholeNumber } from '../../contract/text/plural.ts';
import type { Tx } from '../db/open.ts';
import { invalid } from '../kit/errors.ts';
import { emit } from '../live/emit.ts';
import { notify } from '../notifications/notify.ts';
import { isKept, queueWebhooks } from '../webhooks/queue.ts';

export type StockMove = {
  product_id: string;
  /** Signed units of the product, not packs; negative leaves the warehouse. */
  unidades: number;
  /** Units per pack; if set, the error message counts the stock in packs. */
  por_pack?: number;
  /** Field of the error; if set, the message names the product. */
  field?: string;
  motivo: 'inicial' | 'ajuste' | 'pedido' | 'devolucion' | 'restauracion' | 'retorno' | 'retorno_anulado';
  pedido_id?: string | null;
  /** Share of `unidades` of each order, instead of `pedido_id`. */
  parts?: readonly { pedido_id: string; unidades: number }[];
  nota?: string | null;
};

// Same limit as the column's CHECK, so that excess is a 422, not a database error.
const MAX_STOCK = 2_000_000_000;

/** Books units and returns the new stock (design, section 4.4). Callers move several products in order of id, to avoid deadlocks. Throws 422. */
export async function moveStock(tx: Tx, move: StockMove, actor: Actor): Promise<number> {
  const { product_id, unidades, motivo, pedido_id = null, parts = [{ pedido_id, unidades }], nota } = move;
  // The UPDATE itself checks the stock, so that two orders for the last units cannot both pass. A single statement keeps the row locked for the shortest time.
  const { rows } = await sql<{ stock: number; min_stock: number; name: string; kept: boolean }>`
    WITH moved AS (
      UPDATE products SET stock = stock + ${unidades}::int
      WHERE id = ${product_id} AND stock >= ${Math.max(0, -unidades)} AND stock <= ${Math.min(MAX_STOCK, MAX_STOCK - unidades)}
      RETURNING id, stock, min_stock, name),
    booked AS (
      INSERT INTO stock_movements (product_id, unidades, motivo, pedido_id, nota, actor_user_id, actor_nombre)
      SELECT id, part.unidades, ${motivo}, part.pedido_id, ${nota ?? null}, ${actor.id}::uuid, ${actor.full_name}
      FROM moved, unnest(${parts.map((part) => part.pedido_id)}::uuid[], ${parts.map((part) => part.unidades)}::int[]) AS part (pedido_id, unidades)
      WHERE part.unidades <> 0)
    SELECT stock, min_stock, name, ${isKept} AS kept FROM moved`.execute(tx);
  const [found] = rows;
  if (!found) throw await refusal(tx, move);
  const { kept, ...moved } = found;
  // Includes resellers, who see which packs are available.
  emit(tx, { topic: 'products', roles: rolesOf('pack:read') });
  // Notifies only on crossing the minimum, not at every order below the minimum.
  if (moved.stock <= moved.min_stock && moved.stock - unidades > moved.min_stock) {
    await notify(tx, {
      tipo: 'stock_bajo',
      texto: `Stock bajo: quedan ${moved.stock} unidades de ${moved.name}`,
      roles: ['superadmin'],
      enlace: '/control-stock?ver=bajo',
      mail: true,
    });
    await queueWebhooks(tx, ['stock.bajo'], () => [{ producto: { id: product_id, ...moved } }]);
  }
  // `kept` comes from the statement above: a separate query would hold the product's lock for longer.
  if (kept) {
    const pedidos = parts.flatMap((part) => part.pedido_id ?? []);
    await queueWebhooks(tx, ['stock.movido'], () => [{ producto: { id: product_id, ...moved, unidades, motivo, pedidos } }]);
  }
  return moved.stock;
}

async function refusal(tx: Tx, { product_id, unidades, motivo, por_pack, field: line }: StockMove) {
  const product = await tx.selectFrom('products').select(['stock', 'name']).where('id', '=', product_id).executeTakeFirst();
  if (!product) return invalid('product_id', 'El producto no existe');
  // In the order form the error belongs to the quantity.
  const field = line ?? (motivo === 'inicial' || motivo === 'ajuste' ? 'stock' : 'cantidad');
  if (unidades > 0) return invalid(field, 'El stock no puede ser tan grande');
  const n = Math.floor(product.stock / (por_pack ?? 1));
  const [singular, plural] = por_pack ? ['pack', 'packs'] : ['unidad', 'unidades'];
  const left = n === 1 ? `queda 1 ${singular}` : `quedan ${wholeNumber(n)} ${plural}`;
  return invalid(field, `Stock insuficiente${line ? ` de ${product.name}` : ''}: ${left}`, 'stock_insufficient');
}
