import { sql } from 'kysely';
import type { ponerIntracomunitaria, ponerTipos } from '../../../contract/facturables/facturables.ts';
import { vatRowByRate } from '../../../contract/iva/breakdown.ts';
import { SIN_TIPO, type TipoIva } from '../../../contract/iva/fields.ts';
import { mayBeSupply, type Territorio } from '../../../contract/iva/territory.ts';
import type { BodyOut } from '../../../contract/kit/endpoint.ts';
import { ABIERTOS } from '../../../contract/pedidos/estados.ts';
import type { Actor } from '../../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../../db/open.ts';
import { invalid, notFound } from '../../kit/errors.ts';
import { updateProduct } from '../../products/products.ts';
import { changeAll, changePedido } from '../historia/change.ts';
import { findPedido, lockPedido, lockPedidos, underIva } from '../lectura/row.ts';
import { attemptEach } from '../pasos/outcomes.ts';

/* Lines without a VAT rate, in a shop that uses VAT. */

const BATCH = 200;

/** Lines `l` without a rate, of orders `p` that are or will be invoiced, with their product `k`. */
const WITHOUT_RATE = sql`pedidos p JOIN pedidos_lineas l ON l.pedido_id = p.id AND l.iva IS NULL AND l.precio_total_cents > 0
  LEFT JOIN products k ON k.id = l.product_id
  WHERE p.deleted_at IS NULL AND p.iva_cobrado IS NULL
    AND p.estado IN (${sql.join([...ABIERTOS, 'completado'].map(sql.lit))}) AND ${underIva}`;

/** Columns that decide an order's VAT, shortened so that orders to the same kind of destination are grouped. */
const DESTINO = sql`p.estado, p.iva_regimen, p.cliente_pais, p.cliente_provincia,
  CASE WHEN p.iva_regimen = 'intracomunitaria' THEN p.cliente_nif END AS cliente_nif,
  left(codigo_postal(p.cliente_codigo_postal), 2) || '000' AS cliente_codigo_postal`;

/** Returns the number of orders that need a rate and have a line without one; 0 in a shop without VAT. Exempt sales need none. */
export async function ordersWithoutRate(db: Db | Tx): Promise<number> {
  const { rows } = await sql<Territorio & { n: number }>`
    SELECT ${DESTINO}, count(DISTINCT p.id)::int AS n FROM ${WITHOUT_RATE} GROUP BY 1, 2, 3, 4, 5, 6`.execute(db);
  return rows.filter((row) => vatRowByRate(row)(null) === SIN_TIPO).reduce((sum, { n }) => sum + n, 0);
}

export type Untaxed = { product_id: string | null; producto: string; pedidos: number };

/** Returns the products and free lines without a rate, of orders that are or will be invoiced with one. */
export async function listUntaxed(db: Db | Tx, pedido_id?: string): Promise<Untaxed[]> {
  const { rows } = await sql<Untaxed & Territorio>`
    SELECT l.product_id, coalesce(k.name, l.producto) AS producto, ${DESTINO}, count(DISTINCT p.id)::int AS pedidos
    FROM ${WITHOUT_RATE} AND (${pedido_id ?? null}::uuid IS NULL OR p.id = ${pedido_id ?? null}::uuid) GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`.execute(
    db,
  );
  const found = new Map<string, Untaxed>();
  for (const row of rows) {
    if (vatRowByRate(row)(null) !== SIN_TIPO) continue;
    const { product_id, producto, pedidos } = row;
    const key = product_id ?? producto;
    found.set(key, { product_id, producto, pedidos: pedidos + (found.get(key)?.pedidos ?? 0) });
  }
  return [...found.values()].toSorted((a, b) => a.producto.localeCompare(b.producto, 'es'));
}

/**
 * Gives the products and free lines of `tipos` their rates, then sets today's rate of the product on lines without a rate, in one order or in all
 * orders to be invoiced. Returns the number of lines, and up to 20 products that have no rate. Throws 404 for an order that `actor` may not read, or
 * a product that does not exist.
 */
export async function fillRates(
  db: Db,
  actor: Actor,
  { pedido_id, tipos = [] }: BodyOut<typeof ponerTipos>,
): Promise<{ lineas: number; sin_tipo: string[] }> {
  if (pedido_id !== undefined) await findPedido(db, actor, pedido_id);
  for (const { product_id, iva } of tipos) if (product_id) await updateProduct(db, actor, { id: product_id, iva });
  const free = tipos.flatMap(({ product_id, producto, iva }) => (!product_id && producto ? [{ producto, iva }] : []));
  let lineas = 0;
  for (;;) {
    const filled = await transact(db, (tx) => fillSome(tx, actor, pedido_id, free));
    if (filled === 0) break;
    lineas += filled;
  }
  const rest = await listUntaxed(db, pedido_id);
  return { lineas, sin_tipo: rest.slice(0, 20).map(({ producto }) => producto) };
}

type Free = { producto: string; iva: TipoIva };

async function fillSome(tx: Tx, actor: Actor, pedido_id: string | undefined, free: readonly Free[]): Promise<number> {
  const known = sql`(SELECT * FROM json_to_recordset(${JSON.stringify(free)}) AS r (producto text, iva text))`;
  const rate = sql`coalesce((SELECT k.iva FROM products k WHERE k.id = l.product_id),
    (SELECT r.iva FROM ${known} r WHERE l.product_id IS NULL AND r.producto = l.producto LIMIT 1))`;
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT p.id FROM ${WITHOUT_RATE} AND ${rate} IS NOT NULL
      AND (${pedido_id ?? null}::uuid IS NULL OR p.id = ${pedido_id ?? null}::uuid) ORDER BY p.id LIMIT ${BATCH}`.execute(tx);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return 0;
  const orders = await attemptEach(await lockPedidos(tx, actor, ids), (row) => row);
  if (orders.length < ids.length) throw notFound();
  const { rows: filled } = await sql`
    UPDATE pedidos_lineas l SET iva = ${rate}
    WHERE l.iva IS NULL AND ${rate} IS NOT NULL AND l.pedido_id = ANY (${ids}::uuid[]) RETURNING 1`.execute(tx);
  await changeAll(
    tx,
    actor,
    orders.map((row) => ({ row, set: {}, step: { accion: 'Tipo de IVA puesto', action: 'update' as const } })),
  );
  return filled.length;
}

/** Stores that an order is an intra-Community supply, or not; returns a Spanish sentence. Throws 404, 422 if it cannot be one. */
export const setSupply = async (db: Db, actor: Actor, { pedido_id, es }: BodyOut<typeof ponerIntracomunitaria>): Promise<string> =>
  transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, pedido_id);
    if (es && !mayBeSupply(row))
      throw invalid('pedido_id', 'Para no llevar IVA hace falta que vaya a otro país de la UE y el número de IVA de ese país en el NIF');
    const iva_regimen = es ? ('intracomunitaria' as const) : row.estado === 'completado' ? ('ue' as const) : null;
    await changePedido(
      tx,
      actor,
      row,
      { iva_regimen },
      { accion: es ? 'Entrega intracomunitaria, sin IVA' : 'Con el IVA de aquí', action: 'update' },
    );
    return es ? 'El pedido va sin IVA, como entrega intracomunitaria' : 'El pedido lleva el IVA de aquí';
  });
