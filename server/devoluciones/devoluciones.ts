import { sql } from 'kysely';
import type { createDevolucion, Devolucion } from '../../contract/devoluciones/devoluciones.ts';
import { DESTINO_LABEL } from '../../contract/devoluciones/fields.ts';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import { type Actor, can, SISTEMA } from '../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { adjustToReturns } from '../ganancias/ledger.ts';
import { conflict, invalid, notFound, refuseStale } from '../kit/errors.ts';
import { inEuros, toCents, toEuros } from '../kit/money.ts';
import { notify } from '../notifications/notify.ts';
import { discountRefund } from '../pedidos/escritura/agreed.ts';
import { fallBack } from '../pedidos/escritura/outside.ts';
import { changePedido } from '../pedidos/historia/change.ts';
import { refuseBlockedData } from '../pedidos/lectura/blocked.ts';
import { findPedido, lockPedido, type PedidoRow } from '../pedidos/lectura/row.ts';
import {
  changeReturn,
  insertReturn,
  keptCents,
  noteExcess,
  orderOfReturn,
  type Returned,
  type ReturnRow,
  returnedBefore,
  returnedLines,
  valuedReturns,
} from '../pedidos/lineas/devuelto.ts';
import { adjustStock, type Line, readLines, unitsFor } from '../pedidos/lineas/lineas.ts';
import { notifyRefundsDue, owedByReturn } from '../pedidos/pagos/overpaid.ts';
import { notifyOfRefund } from '../pedidos/pagos/pago-events.ts';
import { annulMoved } from '../pedidos/pagos/pagos.ts';

type Input = BodyOut<typeof createDevolucion>;
/** Lists the returns of an order, newest first. Throws 404 outside the actor's scope. */
export async function readReturns(db: Db, actor: Actor, pedido: string): Promise<Devolucion[]> {
  const row = await findPedido(db, actor, pedido);
  if (!can(actor, 'pedido:returns', row)) throw notFound();
  return presentAll(db, row);
}

/** Returns a return of an order as it is now. */
export async function presentReturn(tx: Tx, actor: Actor, pedido: string, id: string): Promise<Devolucion> {
  const found = (await presentAll(tx, await findPedido(tx, actor, pedido))).find((devolucion) => devolucion.id === id);
  if (!found) throw notFound();
  return found;
}

/**
 * Registers a return. Its value is due until refunded, kept or moved; a refund made already is only noted. Throws 404; 409 if stale or
 * undelivered; 422 for more than was delivered or paid.
 */
export async function registerReturn(db: Db, actor: Actor, pedido: string, input: Input): Promise<Devolucion> {
  return transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, pedido);
    refuseStale(row, input.version, 'este pedido');
    refuseUndelivered(row);
    const ordered = await readLines(tx, row.id);
    const lines = returnedGoods(input.lineas, ordered, await returnedBefore(tx, row.id));
    const reembolso_cents = wantedRefund(input, row, await keptCents(tx, row.id));
    const { motivo, nota, referencia } = input;
    const made = await insertReturn(tx, actor, row.id, { motivo, nota, referencia, reembolso_cents }, lines);
    // Leaves out amounts, because API keys can read the history without «Ver importes».
    const words = lines.map(({ cantidad, producto, destino }) => `${cantidad} × ${producto} (${DESTINO_LABEL[destino].toLowerCase()})`);
    const after = await apply(tx, actor, row, {
      id: made.id,
      lines,
      reembolso_cents,
      by: 1,
      accion: 'Devolución registrada',
      nota: words.join('; ').slice(0, 1000),
    });
    await notifyRefundsDue(tx, [{ before: row, after }]);
    await notifyReseller(tx, actor, row);
    return presentReturn(tx, actor, row.id, made.id);
  });
}

/**
 * Annuls a return: takes the units out of the stock, and its money back from other orders; what was refunded from outside falls back to its
 * payment. Throws 404; 409 if already annulled, if the order
 * is not delivered, and unless the orders that got its goods or money are cancelled and not refunded; 422 for too little stock.
 */
export async function annulReturn(db: Db, actor: Actor, id: string, motivo: string): Promise<Devolucion> {
  return transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, await orderOfReturn(tx, id));
    await annulReturnIn(tx, actor, row, id, motivo);
    return presentReturn(tx, actor, row.id, id);
  });
}

/** Like `annulReturn`, of a locked order within a transaction. */
export async function annulReturnIn(tx: Tx, actor: Actor, row: PedidoRow, id: string, motivo: string): Promise<void> {
  refuseUndelivered(row);
  const annulled = await changeReturn(tx, id, { anulada_motivo: motivo });
  await takeBackMoved(tx, actor, row, annulled);
  const lines = (await returnedLines(tx, [id])).get(id) ?? [];
  const { reembolso_cents } = annulled;
  const after = await apply(tx, actor, row, { id, lines, reembolso_cents, by: -1, accion: 'Devolución anulada', nota: motivo });
  // A web shop's refund stays made: the order costs less, and nothing is due again. A provider's is due again.
  const ofShop = await fallBack(tx, after, id);
  if (ofShop > 0) await discountRefund(tx, SISTEMA, await lockPedido(tx, SISTEMA, row.id), ofShop);
}

type Change = { id: string; lines: readonly Returned[]; reembolso_cents: number; by: 1 | -1; accion: string; nota: string };

/** Adds a return to the order (`by` 1) or removes it (-1), and moves the stock. */
async function apply(tx: Tx, actor: Actor, row: PedidoRow, { id, lines, reembolso_cents, by, accion, nota }: Change): Promise<PedidoRow> {
  const sum = (of: (line: Returned) => number) => by * lines.reduce((all, line) => all + of(line), 0);
  const cantidad_devuelta = row.cantidad_devuelta + sum(({ cantidad }) => cantidad);
  const reembolsado_cents = row.reembolsado_cents + by * reembolso_cents;
  // A refund of this return must not use money owed for other returns.
  const reserved = by === 1 ? Math.max(0, row.devuelto_cents - row.reembolsado_cents) : 0;
  await noteExcess(tx, row.id, cantidad_devuelta, reembolsado_cents + reserved);
  const set = {
    cantidad_devuelta,
    devuelto_cents: sql<number>`valor_devuelto(id, ${cantidad_devuelta})`,
    reembolsado_cents,
    unidades_retenidas: row.unidades_retenidas - sum(({ unidades }) => unidades),
    // Lines with a `motivo` come from a partial delivery, which is booked elsewhere and only annulled here.
    ...(lines.some(({ motivo }) => motivo) && { entrega_parcial: false, mercancia_at: null }),
  };
  const after = await changePedido(tx, actor, row, set, { accion, action: 'update', nota });
  await notifyOfRefund(tx, { pedido_id: row.id, devolucion_id: id, cents: by * reembolso_cents });
  await adjustToReturns(tx, row.id);
  if (by === 1) await adjustStock(tx, actor, row.id, [lines, []], { motivo: 'retorno' });
  else await adjustStock(tx, actor, row.id, [[], lines], { motivo: 'retorno_anulado' });
  return after;
}

// Refuses while an order that got the goods or the money of the return is open, because they would count twice. Takes the money back.
async function takeBackMoved(tx: Tx, actor: Actor, { numero_orden }: PedidoRow, { id, resto_pedido_id }: ReturnRow): Promise<void> {
  const paid = await tx.selectFrom('pagos').select('pedido_id').where('devolucion_id', '=', id).where('estado', '!=', 'anulado').execute();
  const orders = new Set([...(resto_pedido_id ? [resto_pedido_id] : []), ...paid.map(({ pedido_id }) => pedido_id)]);
  for (const pedido of [...orders].sort()) {
    const other = await lockPedido(tx, actor, pedido);
    const what = pedido === resto_pedido_id ? 'El resto va en' : 'Su dinero paga';
    if (other.estado !== 'cancelado') throw conflict(`${what} el pedido ${other.numero_orden}: cancélalo antes`);
    await annulMoved(tx, actor, other, id, `Vuelve al pedido ${numero_orden}`);
  }
}

async function notifyReseller(
  tx: Tx,
  actor: Actor,
  { id: pedido_id, numero_orden, cliente_nombre, revendedor_id }: PedidoRow,
): Promise<void> {
  await notify(tx, {
    tipo: 'devolucion',
    texto: `Devolución del pedido ${numero_orden} (${cliente_nombre})`,
    users: [revendedor_id],
    enlace: `/mis-pedidos?search=${encodeURIComponent(numero_orden)}`,
    except: actor.id,
    pedido_id,
    mail: true,
  });
}

/** Throws 409 for an order that is not delivered, is deleted or has blocked data. */
export function refuseUndelivered(row: PedidoRow): void {
  const { deleted_at, estado } = row;
  refuseBlockedData(row, 'devolver');
  if (deleted_at) throw conflict('El pedido está eliminado: restáuralo antes', 'eliminado');
  if (estado !== 'completado') throw conflict('Solo se devuelve lo que se ha entregado: el pedido no está completado', 'estado');
}

export function returnedGoods(wanted: Input['lineas'], ordered: readonly Line[], before: ReadonlyMap<number, number>): Returned[] {
  const gone = new Map(before);
  return wanted.map(({ numero, cantidad, destino }, i) => {
    const line = ordered.find((line) => line.numero === numero);
    if (!line) throw invalid(`lineas.${i}.numero`, 'Esa línea no está en el pedido');
    const left = line.cantidad - (gone.get(numero) ?? 0);
    if (cantidad > left) throw invalid(`lineas.${i}.cantidad`, left ? `Solo quedan ${left} por devolver` : 'Ya se ha devuelto todo');
    gone.set(numero, (gone.get(numero) ?? 0) + cantidad);
    const unidades = destino === 'stock' ? unitsFor(line, cantidad) : 0;
    return { numero, destino, producto: line.producto, product_id: line.product_id, cantidad, unidades, motivo: '' };
  });
}

export function wantedRefund({ reembolso }: Pick<Input, 'reembolso'>, row: PedidoRow, kept: number): number {
  const cents = reembolso == null ? 0 : toCents(reembolso);
  const left = Math.max(0, Math.min(row.precio_total_cents - kept, row.pagado_cents) - row.reembolsado_cents);
  if (cents > left)
    throw invalid('reembolso', left ? `De lo pagado quedan ${inEuros(left)} por reembolsar` : 'No queda nada pagado que reembolsar');
  return cents;
}

/** Presents the returns of an order, with amounts in euros. */
async function presentAll(db: Db | Tx, row: PedidoRow): Promise<Devolucion[]> {
  const found = await valuedReturns(db, row.id);
  const ids = found.map(({ id }) => id);
  const [lines, owed] = [await returnedLines(db, ids), owedByReturn(row, found)];
  return found.map(({ reembolso_cents, retenido_cents, de_mas_cents, valor_cents: _, ...devolucion }) => ({
    ...devolucion,
    reembolso: toEuros(reembolso_cents),
    por_reembolsar: toEuros(owed.get(devolucion.id) ?? 0),
    retenido: toEuros(retenido_cents),
    de_mas: toEuros(de_mas_cents),
    lineas: (lines.get(devolucion.id) ?? []).map(({ numero, producto, cantidad, destino, motivo }) => ({
      ...{ numero, producto, cantidad, destino },
      ...(motivo && { parte: motivo }),
    })),
  }));
}
