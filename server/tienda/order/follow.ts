import { ANTES_DE_SALIR } from '../../../contract/pedidos/estados.ts';
import { SISTEMA } from '../../../contract/policy/policy.ts';
import { ACABADAS, type ParteWeb, type Situacion } from '../../../contract/tienda/fields.ts';
import type { Tx } from '../../db/open.ts';
import { conflict, invalid } from '../../kit/errors.ts';
import { lockPedido, type PedidoRow } from '../../pedidos/lectura/row.ts';
import { valuedReturns } from '../../pedidos/lineas/devuelto.ts';
import { applyTransition } from '../../pedidos/pasos/transition.ts';
import type { WebOrder } from '../reading/order.ts';
import { type AgreedParts, agreedParts, valuesDiffer } from './changes.ts';
import { createFromShop } from './create.ts';
import { moveMoney, settleMoney } from './money.ts';
import type { Resolved } from './resolve.ts';

/** Row of a shop's order for which an order was created here. `pregunta`: what a message claimed and no signature covers. */
export type Known = {
  id: string;
  pedido_id: string;
  acordado: unknown;
  leida: string | null;
  pregunta: string | null;
  con_iva: boolean;
  tienda: string;
};

/** Changes made by a message. `acordado`: parts with which later messages are compared; `notices`: Spanish sentences. */
type Followed = { pedido_id: string; acordado: AgreedParts; cambios: ParteWeb[]; notices: string[] };

/** Parts whose changes are only shown, because the parcel may already be prepared. */
const SHOWN: readonly ParteWeb[] = ['direccion', 'nif', 'productos', 'importe', 'instrucciones'];

const isGone = (row: PedidoRow) => row.estado === 'cancelado' || row.deleted_at !== null;
const hasLeft = ({ estado }: PedidoRow) => !ANTES_DE_SALIR.includes(estado);
const hasEnded = (leida: string | null) => ACABADAS.includes(leida as Situacion | null);

/**
 * Applies a later message: books payments and refunds, cancels what the shop has cancelled if it has not left, and creates an order again that
 * the shop has reopened. Other changes, and what a message only claims, wait until a person applies or dismisses them. Throws 422 or 409 if an
 * order cannot be created again.
 */
export async function followOrder(tx: Tx, known: Known, { order, raw, entrega }: Resolved): Promise<Followed> {
  const { situacion } = order;
  let row = await lockPedido(tx, SISTEMA, known.pedido_id);
  const notices: string[] = [];
  const asked = new Set<ParteWeb>();
  const isEnded = ACABADAS.includes(situacion ?? null);
  if (isGone(row) && !isEnded && situacion !== 'espera') {
    if (row.anonimizado_at || row.bloqueado_at)
      notices.push('La tienda lo ha retomado, y sus datos se borraron o bloquearon: no se ha hecho nada');
    else if (known.pregunta === 'recuperado') {
      asked.add('estado');
      notices.push('La tienda dice que lo ha recuperado, y sin sus claves no se le puede preguntar');
    } else if (situacion && hasEnded(known.leida) && situacion !== 'terminado') {
      const before = row.numero_orden;
      const made = await takeUpAgain(tx, known, row, order, entrega);
      row = made.row;
      notices.push(`Se había cancelado como ${before} y la tienda lo ha retomado: es un pedido nuevo`, ...made.notices);
    } else if (order.pago && !(await isPaidHere(tx, known.id))) asked.add('estado');
  }
  const { annulled } = await settleMoney(tx, row, order, { shop: known.id, notices, asked, isEnded });
  row = await lockPedido(tx, SISTEMA, row.id);
  await followState(tx, known.leida, row, order, notices);
  const now = agreedParts(raw, { annulled });
  const base = (known.acordado as AgreedParts | null) ?? now;
  const isNew = (parte: ParteWeb) => valuesDiffer(base[parte], now[parte]);
  const isErased = !!(row.anonimizado_at ?? row.bloqueado_at);
  if (isErased && !isEnded && !isGone(row))
    notices.push('Sus datos se borraron o bloquearon: los que la tienda ha vuelto a enviar no se guardan');
  // An ended order needs no new address, and an erased person no data.
  const shown = isEnded || isErased ? [] : SHOWN.filter(isNew);
  if (annulled && isNew('pago')) asked.add('pago');
  const cambios = [...shown, ...asked];
  const acordado = Object.fromEntries(
    Object.entries(now).map(([parte, value]) => [parte, cambios.includes(parte as ParteWeb) ? base[parte as ParteWeb] : value]),
  ) as AgreedParts;
  return { pedido_id: row.id, acordado, cambios, notices };
}

const isPaidHere = async (tx: Tx, shop: string): Promise<boolean> =>
  (await tx.selectFrom('pagos').select('id').where('tienda_pedido_id', '=', shop).limit(1).executeTakeFirst()) !== undefined;

/** Cancels what has ended in the shop and has not left here; anything else about the state is a notice. */
export async function followState(
  tx: Tx,
  leida: string | null,
  row: PedidoRow,
  { situacion, estado }: Pick<WebOrder, 'situacion' | 'estado'>,
  notices: string[],
): Promise<void> {
  if (situacion && ACABADAS.includes(situacion) && !isGone(row)) {
    if (!hasLeft(row)) await applyTransition(tx, SISTEMA, row, { name: 'cancelar', motivo: `En la tienda está ${situacion}` });
    else if (leida !== situacion) notices.push(`La tienda lo ha ${situacion}, pero ya había salido`);
  }
  if (situacion === 'espera' && leida === 'pagado' && !isGone(row)) notices.push('En la tienda vuelve a esperar el pago');
  if (situacion === undefined && leida !== null) notices.push(`No se conoce el estado «${estado}» de la tienda`);
}

type Again = Pick<Known, 'id' | 'con_iva' | 'tienda'>;

/**
 * Creates the order again, because the shop has reopened it, and moves the shop's money to it. Throws 422 if it was refunded whole, 409 if
 * goods of the first order were returned, and like `createFromShop`.
 */
export async function takeUpAgain(tx: Tx, { id, con_iva, tienda }: Again, from: PedidoRow, order: WebOrder, entrega: Resolved['entrega']) {
  if (order.total_cents > 0 && order.devuelto_cents >= order.total_cents)
    throw invalid('total', 'La tienda ha vuelto a abrir un pedido que ya había reembolsado entero');
  if ((await valuedReturns(tx, from.id)).some(({ anulada_at }) => !anulada_at))
    throw conflict(`La tienda ha retomado ${from.numero_orden}, que tiene devoluciones: anúlalas, o haz el pedido a mano`);
  const made = await createFromShop(tx, order, { entrega, con_iva, tienda });
  return moveMoney(tx, id, from, await lockPedido(tx, SISTEMA, made.id), order);
}
