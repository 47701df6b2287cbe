import { sql } from 'kysely';
import type { BodyOut } from '../../../contract/kit/endpoint.ts';
import { MAX_EFECTIVO } from '../../../contract/payments/fields.ts';
import { EFECTIVO_LIMITE, EFECTIVO_VENTA, mismoDia } from '../../../contract/pedidos/contra-reembolso.ts';
import type { separarVenta } from '../../../contract/pedidos/pedidos.ts';
import { type Actor, can } from '../../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../../db/open.ts';
import { conflict, forbidden, invalid } from '../../kit/errors.ts';
import { inEuros, toCents } from '../../kit/money.ts';
import { settingSql } from '../../settings/setting-sql.ts';
import { changePedido } from '../historia/change.ts';
import { lockPedido, type PedidoRow } from '../lectura/row.ts';

/* Legal cash limit. The law considers the whole sale: all orders of a customer on one day (decision 092). */

type OverLimit = { id: string; contra_reembolso: boolean; cents: number; otros: string | null };

/** SQL for the ids of the customer of the order `p` and all joined records. */
const SAME_CUSTOMER = sql`ARRAY(SELECT g.id FROM clientes c JOIN clientes g ON g.principal = c.principal WHERE c.id = p.cliente_id)`;
/** SQL condition: the order `o` counts towards the sale of the order `p`, if both have the same customer. */
const COUNTED = sql`o.deleted_at IS NULL AND o.estado <> 'cancelado' AND NOT o.venta_aparte
  AND dia_negocio(o.fecha_pedido) = dia_negocio(p.fecha_pedido)`;

/**
 * Refuses orders that are paid on delivery or, even partly, in cash if their sale reaches the legal limit. Must run after the write, which locks
 * the customer: of two concurrent orders, the second sees the first. Throws 422 under the field `fieldOf(id)`.
 */
export async function refuseCashSale(tx: Tx, ids: readonly string[], fieldOf: (id: string) => string): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await sql<OverLimit>`
    SELECT p.id, p.contra_reembolso, p.precio_total_cents + coalesce(d.cents, 0) AS cents, d.otros
    FROM pedidos p LEFT JOIN LATERAL (
      SELECT sum(o.precio_total_cents)::bigint AS cents, 
        array_to_string((array_agg(o.numero_orden ORDER BY o.numero_orden))[1:5], ' y ')
          || CASE WHEN count(*) > 5 THEN format(' y %s más', count(*) - 5) ELSE '' END AS otros
      FROM pedidos o
      WHERE o.cliente_id = ANY (${SAME_CUSTOMER}) AND o.id <> p.id AND NOT p.venta_aparte AND ${COUNTED}) d ON true
    WHERE p.id = ANY (${ids}::uuid[]) AND p.deleted_at IS NULL AND p.estado <> 'cancelado'
      AND p.precio_total_cents + coalesce(d.cents, 0) >= ${toCents(MAX_EFECTIVO)}
      AND (p.contra_reembolso OR EXISTS (
        SELECT FROM pagos WHERE pedido_id = p.id AND proveedor = 'efectivo' AND estado = 'pagado' AND importe_cents > devuelto_cents))
    LIMIT 1`.execute(tx);
  const [over] = rows;
  if (!over) return;
  const { id, otros, cents, contra_reembolso } = over;
  if (otros) throw invalid(fieldOf(id), mismoDia(otros, inEuros(cents)), 'mismo_dia');
  throw invalid(fieldOf(id), contra_reembolso ? EFECTIVO_LIMITE : EFECTIVO_VENTA);
}

/** True if «Es otra venta» has an effect: a second order counts, or an order on delivery could still join the sale today. */
export async function isJointSale(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql<{ joint: boolean }>`
    SELECT (${settingSql('cashOnDelivery')} AND dia_negocio(p.fecha_pedido) = dia_negocio(now())) OR EXISTS (
      SELECT FROM pedidos o WHERE o.cliente_id = ANY (${SAME_CUSTOMER}) AND o.id <> p.id AND ${COUNTED}) AS joint
    FROM pedidos p
    WHERE p.id = ${id} AND p.cliente_id IS NOT NULL AND NOT p.venta_aparte AND p.deleted_at IS NULL AND p.estado <> 'cancelado'`.execute(
    db,
  );
  return rows[0]?.joint ?? false;
}

/** Declares an order a separate sale, with the office's reason in the history. Throws 404, 403, 409 if deleted or already separate. */
export const separateSale = async (db: Db, actor: Actor, id: string, { motivo }: BodyOut<typeof separarVenta>): Promise<PedidoRow> =>
  transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, id);
    if (row.deleted_at) throw conflict('El pedido está eliminado: restáuralo antes', 'eliminado');
    if (!can(actor, 'pedido:separate-sale', row)) throw forbidden('pedido:separate-sale');
    if (row.venta_aparte) throw conflict('Este pedido ya cuenta como otra venta');
    return changePedido(tx, actor, row, { venta_aparte: true }, { accion: 'Es otra venta', action: 'update', nota: motivo });
  });
