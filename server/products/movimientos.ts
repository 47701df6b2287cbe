import { sql } from 'kysely';
import { type Answer, asPage, type BodyOut, type QueryOut } from '../../contract/kit/endpoint.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import type {
  ajustarStock as adjustEndpoint,
  listMovimientos as listEndpoint,
  Movimiento,
  Product,
} from '../../contract/products/products.ts';
import { audit } from '../audit/audit.ts';
import { type Db, transact } from '../db/open.ts';
import { notFound } from '../kit/errors.ts';
import { readProduct } from './products.ts';
import { moveStock } from './stock.ts';

const PACE_DAYS = 30;

/** Returns a product's stock ledger, newest first, with the average daily sales of the last 30 days in units. Throws 404. */
export async function listMovimientos(
  db: Db,
  id: string,
  { page, per_page }: QueryOut<typeof listEndpoint>,
): Promise<Answer<typeof listEndpoint>> {
  const { rows: found } = await sql<{ stock: number; total: number; taken: number }>`
    SELECT stock, (SELECT count(*) FROM stock_movements WHERE product_id = p.id) AS total,
      (SELECT coalesce(-sum(unidades), 0)::bigint FROM stock_movements
        WHERE product_id = p.id AND motivo IN ('pedido', 'devolucion', 'restauracion') AND created_at > now() - make_interval(days => ${PACE_DAYS})) AS taken
    FROM products p WHERE id = ${id}`.execute(db);
  const [product] = found;
  if (!product) throw notFound();
  const { rows: data } = await sql<Movimiento>`
    SELECT m.id, m.created_at, m.unidades, m.motivo, m.nota, m.actor_nombre, m.pedido_id, o.numero_orden
    FROM stock_movements m LEFT JOIN pedidos o ON o.id = m.pedido_id
    WHERE m.product_id = ${id} ORDER BY m.created_at DESC, m.id DESC LIMIT ${per_page} OFFSET ${(page - 1) * per_page}`.execute(db);
  // Rounds before dividing, so that the days match the displayed rate. Two decimals keep one unit in 30 days above 0.
  const pace = Math.round((100 * Math.max(0, product.taken)) / PACE_DAYS) / 100;
  const days = pace > 0 ? product.stock / pace : null;
  return {
    ...asPage(data, product.total, { page, per_page }),
    stock: product.stock,
    ritmo_diario: pace,
    // Rounds down, to promise only whole days.
    dias_restantes: days && Math.floor(days),
  };
}

/** Books units in or out with a reason. Throws 404, 422 for insufficient stock. */
export const adjustStock = async (db: Db, actor: Actor, id: string, { unidades, nota }: BodyOut<typeof adjustEndpoint>): Promise<Product> =>
  transact(db, async (tx) => {
    const product = await tx.selectFrom('products').select('name').where('id', '=', id).executeTakeFirst();
    if (!product) throw notFound();
    const stock = await moveStock(tx, { product_id: id, unidades, motivo: 'ajuste', nota }, actor);
    await audit(tx, actor, {
      type: 'configuracion',
      action: 'update',
      entity_type: 'product',
      entity_id: id,
      description: `Stock ajustado: ${product.name} (${nota})`,
      antes: { stock: stock - unidades },
      despues: { stock },
    });
    return readProduct(tx, id);
  });
