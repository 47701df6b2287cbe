import { MAX_EFECTIVO, METODO_PAGO_LABEL } from '../../../contract/payments/fields.ts';
import { overCash } from '../../../contract/pedidos/contra-reembolso.ts';
import type { CreatePedido } from '../../../contract/pedidos/pedidos.ts';
import { type Actor, can } from '../../../contract/policy/policy.ts';
import type { Tx } from '../../db/open.ts';
import { forbidden, invalid } from '../../kit/errors.ts';
import { inEuros, toCents } from '../../kit/money.ts';
import { isFuture } from '../../settings/zone.ts';
import type { Outcomes, PedidoRow } from '../lectura/row.ts';
import { refuseCashSale } from '../pagos/cash-limit.ts';
import { applyTransitions } from '../pasos/transition.ts';

/* New orders whose money another program, such as a web shop, has already collected (decision 089). */

type Pago = NonNullable<CreatePedido['pago']>;
type Order = { contra_reembolso: boolean; total_cents: number };

/**
 * True if a new order has a payment to book, false if the order is free, undefined if it is not paid elsewhere. Throws 403, 422 for an amount
 * other than the total, cash beyond the legal limit, or an order paid on delivery.
 */
export function isPaidElsewhere(actor: Actor, pago: Pago | null | undefined, { contra_reembolso, total_cents }: Order) {
  if (!pago) return undefined;
  if (!can(actor, 'pedido:create-paid')) throw forbidden('pedido:create-paid');
  if (contra_reembolso) throw invalid('pago', 'Un pedido contra reembolso se paga al recibirlo: no puede estar ya pagado');
  const { importe, metodo } = pago;
  if (importe != null && toCents(importe) !== total_cents)
    throw invalid('pago.importe', `El pedido suma ${inEuros(total_cents)} y dices que se pagaron ${inEuros(toCents(importe))}`);
  if (metodo === 'efectivo' && overCash(total_cents))
    throw invalid('pago.metodo', `No se puede cobrar en efectivo ${inEuros(toCents(MAX_EFECTIVO))} o más`);
  return total_cents > 0;
}

type Paid = { row: PedidoRow; pago: Pago; fila?: number };

/** Books the payments of new orders, which become `pendiente`. Throws 422 for a future day, or cash beyond the legal limit of a sale. */
export async function payElsewhere(tx: Tx, actor: Actor, paid: readonly Paid[]): Promise<Outcomes> {
  for (const { pago, fila } of paid)
    if (pago.fecha && (await isFuture(tx, pago.fecha)))
      throw invalid(fila === undefined ? 'pago.fecha' : `filas.${fila}.pago.fecha`, 'Ese día todavía no ha llegado');
  const pagoOf = new Map(paid.map(({ row, pago }) => [row.id, pago]));
  const free = paid.flatMap(({ row }) => (row.estado === 'pendiente_pago' ? [] : [[row.id, row] as const]));
  const due = paid.flatMap(({ row }) => (row.estado === 'pendiente_pago' ? [row] : []));
  const outcomes = await applyTransitions(tx, actor, due, (row) => {
    const { metodo, referencia, fecha } = pagoOf.get(row.id) as Pago;
    const pago = { proveedor: metodo, referencia: referencia ?? '', importe_cents: row.pendiente_cents, ...(fecha && { fecha }) };
    return { input: { name: 'pagar', referencia: referencia || METODO_PAGO_LABEL[metodo] }, pago };
  });
  const inCash = paid.filter(({ pago }) => pago.metodo === 'efectivo');
  const filaOf = new Map(inCash.map(({ row, fila }) => [row.id, fila]));
  await refuseCashSale(tx, [...filaOf.keys()], (id) => {
    const fila = filaOf.get(id);
    return fila === undefined ? 'pago.metodo' : `filas.${fila}.pago.metodo`;
  });
  return new Map([...free, ...outcomes]);
}
