import { ANTES_DE_SALIR } from '../../../contract/pedidos/estados.ts';
import { type Actor, SISTEMA } from '../../../contract/policy/policy.ts';
import type { ParteWeb } from '../../../contract/tienda/fields.ts';
import type { Tx } from '../../db/open.ts';
import { noteRefunds } from '../../devoluciones/refunds.ts';
import { inEuros } from '../../kit/money.ts';
import { discountRefund } from '../../pedidos/escritura/agreed.ts';
import {
  bookShopPayment,
  bookShopRefund,
  givenBackOf,
  type Moved,
  moveShopPayments,
  recordRefund,
  shopMoneyOf,
  withRoom,
} from '../../pedidos/escritura/outside.ts';
import { lockPedido, type PedidoRow } from '../../pedidos/lectura/row.ts';
import { overpaidCents } from '../../pedidos/pagos/overpaid.ts';
import { releaseIfPaid } from '../../pedidos/pasos/transition.ts';
import type { WebOrder } from '../reading/order.ts';

/* What the shop took and gave back, as rows: nothing is booked that has its row (decision 113). */

type Telling = { notices: string[]; asked: Set<ParteWeb>; isEnded: boolean };
/** `shop`: id of the shop's order. `agreed`: the person who applies a payment that waited; nothing is doubtful then. */
type Settling = Telling & { shop: string; agreed?: Actor };

/** Returns the goods of the newest refunds that make up `cents`, such as «1 × Aceite»; '' if none are known. */
function goodsOf({ devoluciones = [] }: WebOrder, cents: number): string {
  let left = cents;
  const newest = devoluciones.filter((refund) => {
    const isNew = left > 0;
    left -= refund.cents;
    return isNew;
  });
  return newest.flatMap(({ de }) => de || []).join(', ');
}

/**
 * Books the shop's payment, once and for the shop's total, and its new refunds. Leaves payments alone that the office has added or annulled.
 * While a payment waits for a person, so do its refunds. Returns whether the office has annulled all that the shop was paid.
 */
export async function settleMoney(tx: Tx, row: PedidoRow, order: WebOrder, settling: Settling): Promise<{ annulled: boolean }> {
  const { shop, asked, agreed } = settling;
  const { pago, total_cents, situacion } = order;
  const money = await shopMoneyOf(tx, shop);
  const isBooked = agreed ? money.pagado > 0 : money.payments > 0;
  let after = row;
  if (pago && total_cents > 0 && !isBooked && row.estado !== 'cancelado' && !row.deleted_at) {
    // The office may have noted the same payment; the shop may be «completed» only because Enruta said so.
    const isDoubtful = order.forma || (situacion === 'terminado' && row.estado === 'completado');
    if (!agreed && (isDoubtful || (row.pagado_cents > 0 && row.pendiente_cents < total_cents))) asked.add('pago');
    else after = await bookShopPayment(tx, agreed ?? SISTEMA, row, { shop, cents: total_cents, ...pago });
  }
  const back = situacion === 'reembolsado' ? Math.max(order.devuelto_cents, total_cents) : order.devuelto_cents;
  const waits = !agreed && money.payments === 0 && (asked.has('pago') || asked.has('estado'));
  if (back > money.told && !waits) await settleRefunds(tx, after, order, back - money.told, settling);
  return { annulled: money.anulado > 0 && money.pagado === 0 };
}

/** Books `fresh` cents that the shop gave back, but for those noted here already: at returns that are owed, then at the shop's payments. */
async function settleRefunds(tx: Tx, row: PedidoRow, order: WebOrder, fresh: number, { shop, notices, isEnded }: Settling): Promise<void> {
  const money = await shopMoneyOf(tx, shop);
  let already = Math.max(0, (await givenBackOf(tx, row.id)) + money.devuelto - money.told);
  const isCancelled = row.estado === 'cancelado' || (isEnded && ANTES_DE_SALIR.includes(row.estado));
  const unknown = (order.reembolsos ?? []).filter(({ id }) => !money.ids.includes(id));
  let [owed, cut, left] = [0, 0, fresh];
  for (const { id, cents } of [...unknown, { id: null, cents: fresh }]) {
    const part = Math.min(left, cents);
    if (part <= 0) continue;
    const here = Math.min(part, already);
    [left, already] = [left - part, already - here];
    const booked = await bookRefund(tx, row.id, { shop, cents: part - here, externo_id: id });
    await recordRefund(tx, { pedido_id: row.id, importe_cents: part - booked.cents, tienda_pedido_id: shop, externo_id: id });
    owed += booked.cents - booked.beyond;
    cut += booked.beyond;
    if (booked.beyond && !isCancelled) await discountRefund(tx, SISTEMA, await lockPedido(tx, SISTEMA, row.id), booked.beyond);
  }
  if (!isCancelled) notices.push(sentenceOf({ fresh, owed, cut, goods: goodsOf(order, fresh) }));
}

/** Books one refund, at most what is left of the shop's payments. `beyond`: cents that were not owed, which lower the price. */
async function bookRefund(tx: Tx, pedido: string, refund: { shop: string; cents: number; externo_id: string | null }) {
  const { shop, cents, externo_id } = refund;
  const open = await withRoom(tx, shop);
  const held = open.reduce((sum, { importe_cents, devuelto_cents }) => sum + importe_cents - devuelto_cents, 0);
  const { reembolsado_cents } = await lockPedido(tx, SISTEMA, pedido);
  const most = Math.max(0, Math.min(cents, held - reembolsado_cents));
  const source = { tienda_pedido_id: shop, externo_id, pago_id: open[0]?.id ?? null };
  const atReturns = await noteRefunds(tx, await lockPedido(tx, SISTEMA, pedido), most, 'Reembolsado en la tienda', source);
  const row = await lockPedido(tx, SISTEMA, pedido);
  const atPayments = await bookShopRefund(tx, row, { shop, cents: most - atReturns, externo_id });
  const over = row.deleted_at ? Math.max(0, row.pagado_cents - row.precio_total_cents) : overpaidCents(row);
  return { cents: atReturns + atPayments, beyond: Math.max(0, atPayments - over) };
}

type Told = { fresh: number; owed: number; cut: number; goods: string };
function sentenceOf({ fresh, owed, cut, goods }: Told): string {
  const by = goods && ` por ${goods}`;
  if (cut)
    return `La tienda ha devuelto ${inEuros(cut)}${by}, que se han descontado del pedido: ${goods ? 'quítalo' : 'si es por un producto, quítalo'} o anota su devolución`;
  if (owed) return `La tienda ha devuelto ${inEuros(owed)}${by}, que estaban pendientes de reembolsar`;
  return `La tienda ha devuelto ${inEuros(fresh)}, que aquí no estaban cobrados o ya estaban anotados`;
}

/**
 * Moves the shop's money from a cancelled or deleted order to the one made again, which costs less by what the shop gave back. Returns that
 * order, and Spanish sentences about money that did not come along.
 */
export async function moveMoney(tx: Tx, shop: string, from: PedidoRow, to: PedidoRow, order: WebOrder) {
  const moved = await moveShopPayments(tx, shop, from, to);
  const made = await lockPedido(tx, SISTEMA, to.id);
  const live = moved.pagado > 0 ? Math.min(moved.devuelto, made.pendiente_cents) : 0;
  const row = live > 0 ? await discountRefund(tx, SISTEMA, made, live) : made;
  return { row: await releaseIfPaid(tx, row), notices: sentencesOf(moved, order) };
}

function sentencesOf({ pagado, devuelto, anulado }: Moved, { total_cents, pago }: WebOrder): string[] {
  if (pagado === 0 && devuelto > 0) return [`Los ${inEuros(devuelto)} de antes ya se devolvieron: este pedido está sin cobrar`];
  if (pagado === 0 && anulado > 0) return [`El pago de ${inEuros(anulado)} se había anulado: este pedido está sin cobrar`];
  if (pagado === 0) return [];
  const difference = total_cents - pagado - devuelto;
  const sentences = devuelto > 0 ? [`De lo cobrado ya se habían devuelto ${inEuros(devuelto)}, que se han descontado`] : [];
  if (pago && difference !== 0)
    sentences.push(`Se habían cobrado ${inEuros(pagado + devuelto)} y ahora en la tienda son ${inEuros(total_cents)}: anota la diferencia`);
  return sentences;
}
