import { sql } from 'kysely';
import { rowOf } from '../../../contract/iva/breakdown.ts';
import { SIN_TIPO } from '../../../contract/iva/fields.ts';
import type { Destino } from '../../../contract/iva/territory.ts';
import type { Actor } from '../../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../../db/open.ts';
import { notFound } from '../../kit/errors.ts';
import { settingSql } from '../../settings/setting-sql.ts';
import { changeAll } from '../historia/change.ts';
import { findPedido, lockPedidos } from '../lectura/row.ts';
import { attemptEach } from '../pasos/outcomes.ts';

/* Lines without a VAT rate, in a shop that uses VAT. */

const BATCH = 200;

/** Lines `l` without a rate, of orders `p` that are or will be invoiced. */
const WITHOUT_RATE = sql`pedidos p JOIN pedidos_lineas l ON l.pedido_id = p.id AND l.iva IS NULL AND l.precio_total_cents > 0
  WHERE p.deleted_at IS NULL AND p.iva_cobrado IS NULL AND ${settingSql('iva')}
    AND (p.estado IN ('pendiente_pago', 'pendiente', 'asignado', 'en_proceso', 'en_ruta') OR (p.estado = 'completado'
      AND p.fecha_completado >= (nullif(${settingSql('ivaDesde')}, '')::date)::timestamp AT TIME ZONE ${settingSql('timezone')}))`;

/** What decides an order's VAT, in the few values that tell destinations apart. */
const DESTINO = sql`p.estado, p.iva_regimen, p.cliente_pais, p.cliente_provincia,
  CASE WHEN p.iva_regimen = 'intracomunitaria' THEN p.cliente_nif END AS cliente_nif,
  left(codigo_postal(p.cliente_codigo_postal), 2) || '000' AS cliente_codigo_postal`;

/** Returns the number of orders that need a rate and have a line without one; 0 in a shop without VAT. Exempt sales need none. */
export async function ordersWithoutRate(db: Db | Tx): Promise<number> {
  const { rows } = await sql<Destino & { n: number }>`
    SELECT ${DESTINO}, count(DISTINCT p.id)::int AS n FROM ${WITHOUT_RATE} GROUP BY 1, 2, 3, 4, 5, 6`.execute(db);
  return rows.filter((row) => rowOf(row)(null) === SIN_TIPO).reduce((sum, { n }) => sum + n, 0);
}

/**
 * Sets today's rate of the product on lines without a rate, in one order or in all orders to be invoiced. Returns the number of lines, and
 * up to 20 products that have no rate. Throws 404 for an order that `actor` may not read.
 */
export async function fillRates(db: Db, actor: Actor, pedido_id?: string): Promise<{ lineas: number; sin_tipo: string[] }> {
  if (pedido_id !== undefined) await findPedido(db, actor, pedido_id);
  let lineas = 0;
  for (;;) {
    const filled = await transact(db, (tx) => fillSome(tx, actor, pedido_id));
    if (filled === 0) break;
    lineas += filled;
  }
  const { rows } = await sql<{ producto: string }>`
    SELECT DISTINCT coalesce((SELECT name FROM products WHERE id = l.product_id), l.producto) AS producto FROM ${WITHOUT_RATE}
      AND (${pedido_id ?? null}::uuid IS NULL OR p.id = ${pedido_id ?? null}::uuid) ORDER BY 1 LIMIT 20`.execute(db);
  return { lineas, sin_tipo: rows.map(({ producto }) => producto) };
}

async function fillSome(tx: Tx, actor: Actor, pedido_id: string | undefined): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT p.id FROM ${WITHOUT_RATE} AND EXISTS (SELECT FROM products k WHERE k.id = l.product_id AND k.iva IS NOT NULL)
      AND (${pedido_id ?? null}::uuid IS NULL OR p.id = ${pedido_id ?? null}::uuid) ORDER BY p.id LIMIT ${BATCH}`.execute(tx);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return 0;
  const orders = await attemptEach(await lockPedidos(tx, actor, ids), (row) => row);
  if (orders.length < ids.length) throw notFound();
  const { rows: filled } = await sql`
    UPDATE pedidos_lineas l SET iva = k.iva FROM products k
    WHERE k.id = l.product_id AND l.iva IS NULL AND k.iva IS NOT NULL AND l.pedido_id = ANY (${ids}::uuid[]) RETURNING 1`.execute(tx);
  await changeAll(
    tx,
    actor,
    orders.map((row) => ({ row, set: {}, step: { accion: 'Tipo de IVA puesto', action: 'update' as const } })),
  );
  return filled.length;
}
