import { ANTES_DE_SALIR } from '../../contract/pedidos/estados.ts';
import { SISTEMA } from '../../contract/policy/policy.ts';
import { ACABADAS, type ParteWeb, type Situacion } from '../../contract/tienda/fields.ts';
import type { Tx } from '../db/open.ts';
import { noteRefunds } from '../devoluciones/refunds.ts';
import { invalid } from '../kit/errors.ts';
import { inEuros } from '../kit/money.ts';
import { discountRefund } from '../pedidos/escritura/agreed.ts';
import { bookShopPayment, bookShopRefund, shopMoneyOf, withdrawShopPayments } from '../pedidos/escritura/cobrar.ts';
import { lockPedido, type PedidoRow } from '../pedidos/lectura/row.ts';
import { overpaidOf } from '../pedidos/pagos/overpaid.ts';
import { applyTransition } from '../pedidos/pasos/transition.ts';
import { createFromShop } from './create.ts';
import { type Marks, marksOf } from './marks.ts';
import type { WebOrder } from './order.ts';
import type { Resolved } from './resolve.ts';

/** Row of a shop's order for which an order was created here. */
export type Known = {
  id: string;
  pedido_id: string;
  marcas: Marks | null;
  leida: string | null;
  pagado_cents: number;
  devuelto_cents: number;
};

/** Changes made by a message. `marcas`: fingerprints with which later messages are compared; `notices`: Spanish sentences. */
type Followed = Pick<Known, 'pedido_id' | 'pagado_cents' | 'devuelto_cents'> & { marcas: Marks; cambios: ParteWeb[]; notices: string[] };

const WORDS: Partial<Record<Situacion, string>> = { cancelado: 'cancelado', reembolsado: 'reembolsado', borrado: 'borrado' };

/** Parts whose changes are only shown, because the parcel may already be prepared. */
const SHOWN: readonly ParteWeb[] = ['direccion', 'nif', 'productos', 'importe', 'instrucciones'];

const isGone = (row: PedidoRow) => row.estado === 'cancelado' || row.deleted_at !== null;
const hasLeft = ({ estado }: PedidoRow) => !ANTES_DE_SALIR.includes(estado);

/**
 * Applies a later message: books payments and refunds, cancels what the shop has cancelled if it has not left, and creates an order again that
 * the shop has reopened. Other changes wait until a person applies or dismisses them. Throws 422 or 409 if an order cannot be created again.
 */
export async function followOrder(tx: Tx, known: Known, { order, raw, entrega }: Resolved, secretKey: string): Promise<Followed> {
  const { situacion } = order;
  let row = await lockPedido(tx, SISTEMA, known.pedido_id);
  const state = { ...known };
  const notices: string[] = [];
  const asked = new Set<ParteWeb>();
  const isEnded = ACABADAS.includes(situacion ?? null);
  if (isGone(row) && !isEnded && situacion !== 'espera') {
    if (situacion && ACABADAS.includes((known.leida ?? null) as Situacion | null) && situacion !== 'terminado') {
      const before = row.numero_orden;
      row = await takeUpAgain(tx, state, order, entrega);
      notices.push(`Se había cancelado como ${before} y la tienda lo ha retomado: es un pedido nuevo`);
    } else if (order.pago && state.pagado_cents === 0) asked.add('estado');
  }
  const { annulled } = await settleMoney(tx, state, row, order, { notices, asked, isEnded });
  row = await lockPedido(tx, SISTEMA, state.pedido_id);
  if (isEnded && !isGone(row)) {
    const word = WORDS[situacion as Situacion] ?? 'terminado';
    if (!hasLeft(row)) await applyTransition(tx, SISTEMA, row, { name: 'cancelar', motivo: `En la tienda está ${word}` });
    else if (known.leida !== situacion) notices.push(`La tienda lo ha ${word}, pero ya había salido`);
  }
  if (situacion === 'espera' && known.leida === 'pagado' && !isGone(row)) notices.push('En la tienda vuelve a esperar el pago');
  if (situacion === undefined && known.leida !== null) notices.push(`No se conoce el estado «${order.estado}» de la tienda`);
  const now = marksOf(raw, { annulled }, secretKey);
  const base = known.marcas ?? now;
  const isNew = (parte: ParteWeb) => base[parte] !== now[parte];
  // An ended order needs no new address.
  const shown = isEnded ? [] : SHOWN.filter(isNew);
  if (annulled && isNew('pago')) asked.add('pago');
  const cambios = [...shown, ...asked];
  const marcas = Object.fromEntries(
    Object.entries(now).map(([parte, mark]) => [parte, cambios.includes(parte as ParteWeb) ? base[parte as ParteWeb] : mark]),
  ) as Marks;
  const { pedido_id, pagado_cents, devuelto_cents } = state;
  return { pedido_id, pagado_cents, devuelto_cents, marcas, cambios, notices };
}

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

type Telling = { notices: string[]; asked: Set<ParteWeb>; isEnded: boolean };

/**
 * Books the shop's payment, once and for the shop's total, and refunds beyond those already known here. Leaves payments alone that the office
 * has added or annulled.
 */
export async function settleMoney(tx: Tx, state: Known, row: PedidoRow, order: WebOrder, { notices, asked, isEnded }: Telling) {
  const money = await shopMoneyOf(tx, state.id, state.pedido_id);
  const { pago, total_cents, situacion } = order;
  let after = row;
  if (pago && total_cents > 0 && state.pagado_cents === 0 && !isGone(row)) {
    // The office may have noted the same payment; the shop may be «completed» only because Enruta said so.
    const isDoubtful = order.forma || (situacion === 'terminado' && row.estado === 'completado');
    if (isDoubtful || (row.pagado_cents > 0 && row.pendiente_cents < total_cents)) asked.add('pago');
    else {
      after = await bookShopPayment(tx, SISTEMA, row, { shop: state.id, cents: total_cents, ...pago });
      state.pagado_cents = total_cents;
    }
  }
  const back = situacion === 'reembolsado' ? Math.max(order.devuelto_cents, total_cents) : order.devuelto_cents;
  if (back > state.devuelto_cents) {
    const known = after.reembolsado_cents + money.devuelto;
    const news = Math.max(0, back - known);
    // Returned goods and money beyond the total are owed already; only the rest lowers the price.
    const noted = await noteRefunds(tx, after, Math.min(news, money.pagado - money.devuelto), 'Reembolsado en la tienda');
    const now = noted ? await lockPedido(tx, SISTEMA, after.id) : after;
    const booked = await bookShopRefund(tx, SISTEMA, now, state.id, news - noted);
    const goods = goodsOf(order, back - state.devuelto_cents);
    const by = goods && ` por ${goods}`;
    const isCancelled = isGone(after) || (isEnded && !hasLeft(after));
    const cut = Math.max(0, booked - overpaidOf(now));
    if (!isCancelled && cut) await discountRefund(tx, SISTEMA, await lockPedido(tx, SISTEMA, after.id), cut);
    if (!isCancelled)
      notices.push(
        cut
          ? `La tienda ha devuelto ${inEuros(cut)}${by}, que se han descontado del pedido: ${goods ? 'quítalo' : 'si es por un producto, quítalo'} o anota su devolución`
          : noted + booked
            ? `La tienda ha devuelto ${inEuros(noted + booked)}${by}, que estaban pendientes de reembolsar`
            : `La tienda ha devuelto ${inEuros(back - state.devuelto_cents)}, que aquí no estaban cobrados o ya estaban anotados`,
      );
    state.devuelto_cents = back;
  }
  return { annulled: money.anulado > 0 && money.pagado === 0 };
}

/** Creates the order again, because the shop has reopened it. Throws 422 if it was refunded whole, and like `createFromShop`. */
export async function takeUpAgain(tx: Tx, state: Known, order: WebOrder, entrega: Resolved['entrega']): Promise<PedidoRow> {
  if (order.total_cents > 0 && order.devuelto_cents >= order.total_cents)
    throw invalid('total', 'La tienda ha vuelto a abrir un pedido que ya había reembolsado entero');
  await withdrawShopPayments(tx, state.id, 'La tienda ha retomado el pedido');
  const row = await createFromShop(tx, order, { entrega });
  state.pedido_id = row.id;
  state.pagado_cents = 0;
  state.devuelto_cents = 0;
  return row;
}
