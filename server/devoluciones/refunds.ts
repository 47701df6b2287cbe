import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Devolucion, retenerDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import { PARCIAL } from '../../contract/devoluciones/fields.ts';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import { EDITABLE_FIELDS } from '../../contract/pedidos/fields.ts';
import type { CreatePedido } from '../../contract/pedidos/pedidos.ts';
import { type Actor, SISTEMA } from '../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { conflict, invalid } from '../kit/errors.ts';
import { inEuros, toCents } from '../kit/money.ts';
import { takePayment } from '../pedidos/escritura/cobrar.ts';
import { type Built, copyFields, editableFields, newPagoToken, storeOrder } from '../pedidos/escritura/create.ts';
import { NEXT_NUMBER } from '../pedidos/escritura/numbers.ts';
import { type OutsideRefund, recordRefund } from '../pedidos/escritura/outside.ts';
import { changePedido } from '../pedidos/historia/change.ts';
import { refuseBlockedData } from '../pedidos/lectura/blocked.ts';
import { promisedDate } from '../pedidos/lectura/promised.ts';
import { lockPedido, lockPedidos, type PedidoRow } from '../pedidos/lectura/row.ts';
import {
  changeReturn,
  orderOfReturn,
  type Returned,
  type ReturnRow,
  returnedLines,
  type ValuedReturn,
  valuedReturns,
} from '../pedidos/lineas/devuelto.ts';
import { type Line, readLines, summarizeLines, unitsFor } from '../pedidos/lineas/lineas.ts';
import { owedByReturn } from '../pedidos/pagos/overpaid.ts';
import { notifyOfRefund } from '../pedidos/pagos/pago-events.ts';
import { recordPago } from '../pedidos/pagos/pagos.ts';
import { readSettings } from '../settings/settings.ts';
import { presentReturn, refuseUndelivered } from './devoluciones.ts';

/* The value of a return is due until refunded, kept with a reason, or moved to another order (decision 101). */

/** Notes a refund of a return, in euros; several add up. Throws 404; 409 if nothing is owed; 422 for more than is owed. */
export async function refundReturn(
  db: Db,
  actor: Actor,
  id: string,
  { reembolso, referencia }: { reembolso: number; referencia: string | null },
): Promise<Devolucion> {
  return transact(db, async (tx) => {
    const { row, devolucion, owed } = await lockOwed(tx, actor, id);
    const cents = refundAmount('reembolso', reembolso, owed);
    await notifyOfRefund(tx, { pedido_id: row.id, devolucion_id: id, cents });
    await changePedido(tx, actor, row, refundColumns(row, cents), { accion: 'Reembolso anotado', action: 'update', nota: referencia });
    await changeReturn(tx, id, refundedBy(devolucion, cents, referencia));
    return presentReturn(tx, actor, row.id, id);
  });
}

type Source = Pick<OutsideRefund, 'pago_id' | 'tienda_pedido_id' | 'externo_id'>;

/**
 * Books a refund of a provider or shop on a locked order's returns, oldest first, as far as they are unrefunded; returns the cents booked.
 * They fall back to the payment of `source` if the return is annulled.
 */
export async function noteRefunds(tx: Tx, row: PedidoRow, cents: number, referencia: string, source: Source): Promise<number> {
  const returns = await valuedReturns(tx, row.id);
  const owed = owedByReturn(row, returns);
  let noted = 0;
  for (const devolucion of returns.toReversed()) {
    const part = Math.min(cents - noted, owed.get(devolucion.id) ?? 0);
    if (part === 0) continue;
    noted += part;
    await notifyOfRefund(tx, { pedido_id: row.id, devolucion_id: devolucion.id, cents: part });
    await changeReturn(tx, devolucion.id, refundedBy(devolucion, part, referencia));
    await recordRefund(tx, { pedido_id: row.id, devolucion_id: devolucion.id, importe_cents: part, ...source });
  }
  if (noted > 0)
    await changePedido(tx, SISTEMA, row, refundColumns(row, noted), { accion: 'Reembolso anotado', action: 'update', nota: referencia });
  return noted;
}

/** Keeps a part of a return, in euros, with a reason: it counts as sold again. Throws 404; 409 if nothing is owed; 422 for more than is owed. */
export async function storeRefund(
  db: Db,
  actor: Actor,
  id: string,
  { importe, motivo }: BodyOut<typeof retenerDevolucion>,
): Promise<Devolucion> {
  return transact(db, async (tx) => {
    const { row, devolucion, owed } = await lockOwed(tx, actor, id);
    const retenido_cents = devolucion.retenido_cents + refundAmount('importe', importe, owed);
    const retenido_motivo = [devolucion.retenido_motivo, motivo].filter(Boolean).join('; ').slice(0, 1000);
    await changeReturn(tx, id, { retenido_cents, retenido_motivo });
    const set = { devuelto_cents: sql<number>`valor_devuelto(id, cantidad_devuelta)` };
    await changePedido(tx, actor, row, set, { accion: 'Parte que no se reembolsa', action: 'update', nota: motivo });
    return presentReturn(tx, actor, row.id, id);
  });
}

/** Pays the order `numero_orden` with the money of a return, as far as it reaches. Throws 404; 409 if nothing is owed or due; 422 for an unknown order. */
export async function moveRefund(db: Db, actor: Actor, id: string, numero_orden: string): Promise<Devolucion> {
  return transact(db, async (tx) => {
    const from = await orderOfReturn(tx, id);
    const found = tx.selectFrom('pedidos').select('id').where('numero_orden', '=', numero_orden.toUpperCase());
    const to = (await found.executeTakeFirst())?.id;
    if (!to) throw invalid('numero_orden', 'Ningún pedido tiene ese número');
    if (to === from) throw invalid('numero_orden', 'Es este mismo pedido: indica otro');
    await lockPedidos(tx, actor, [from, to]);
    const { row, devolucion, owed } = await lockOwed(tx, actor, id);
    const other = await lockPedido(tx, actor, to);
    const moved = Math.min(owed, other.pendiente_cents);
    const referencia = `Del pedido ${row.numero_orden}`;
    // Refuses an order that is cancelled, deleted or paid.
    await takePayment(tx, actor, other, { proveedor: 'manual', referencia, importe_cents: moved, devolucion_id: id }, 'De una devolución');
    await notifyOfRefund(tx, { pedido_id: row.id, devolucion_id: id, cents: moved });
    await changeReturn(tx, id, refundedBy(devolucion, moved, `Pasa al pedido ${other.numero_orden}`));
    const step = { accion: 'Reembolso pasado a otro pedido', action: 'update', nota: other.numero_orden } as const;
    await changePedido(tx, actor, row, refundColumns(row, moved), step);
    return presentReturn(tx, actor, row.id, id);
  });
}

/** Returns a return, its locked order and the cents still to refund. Throws 404; 409 if annulled or if the order is deleted. */
export async function lockReturn(tx: Tx, actor: Actor, id: string): Promise<{ row: PedidoRow; devolucion: ValuedReturn; owed: number }> {
  const row = await lockPedido(tx, actor, await orderOfReturn(tx, id));
  refuseUndelivered(row);
  const returns = await valuedReturns(tx, row.id);
  const devolucion = returns.find((devolucion) => devolucion.id === id);
  if (!devolucion || devolucion.anulada_at) throw conflict('Esta devolución ya está anulada');
  return { row, devolucion, owed: owedByReturn(row, returns).get(id) ?? 0 };
}

async function lockOwed(tx: Tx, actor: Actor, id: string) {
  const found = await lockReturn(tx, actor, id);
  const isNoted = found.devolucion.reembolso_cents > 0;
  if (found.owed === 0) throw conflict(isNoted ? 'Este reembolso ya está anotado' : 'No queda nada por reembolsar');
  return found;
}

export function refundAmount(field: string, amount: number, owed: number): number {
  const cents = toCents(amount);
  if (cents === 0) throw invalid(field, field === 'importe' ? 'Indica cuánto no se reembolsa' : 'Indica cuánto se ha reembolsado');
  if (cents > owed) throw invalid(field, `Quedan ${inEuros(owed)} por reembolsar`);
  return cents;
}

/** Columns of the order after a refund of `cents`. */
export const refundColumns = ({ reembolsado_cents }: PedidoRow, cents: number) => ({ reembolsado_cents: reembolsado_cents + cents });

/** Columns of the return after a refund of `cents`. */
export const refundedBy = (before: ReturnRow, cents: number, referencia: string | null) => ({
  reembolso_cents: before.reembolso_cents + cents,
  referencia: [before.referencia, referencia].filter(Boolean).join(', ') || null,
});

/* Undelivered goods of a partial delivery (decision 074), which are refunded (refunds.ts) or delivered with a second order. */

/**
 * Creates a second order for undelivered goods, at the agreed price and without shipping. The pending refund pays for the new order.
 * The new order is paid on delivery if the first order was and the settings offer that. Throws 404; 409 for another kind of return or
 * a second call; 422 for too little stock.
 */
export async function orderRest(db: Db, actor: Actor, id: string): Promise<PedidoRow> {
  return transact(db, async (tx) => {
    const { row, devolucion, owed } = await lockReturn(tx, actor, id);
    if (devolucion.motivo !== PARCIAL) throw conflict('Esto solo vale para lo que una entrega dejó sin entregar');
    refuseBlockedData(row, 'volver a enviar');
    if (devolucion.resto_pedido_id) throw conflict('El resto ya se entrega en otro pedido');
    const ordered = await readLines(tx, row.id);
    const lines = (await returnedLines(tx, [id])).get(id) ?? [];
    const total = devolucion.valor_cents;
    const built = restOrder(row, ordered, lines, total);
    const { cashOnDelivery } = await readSettings(tx);
    const values = { ...built.values, contra_reembolso: row.contra_reembolso && cashOnDelivery };
    const rest = await storeOrder(tx, actor, { ...built, values }, { accion: `Resto del pedido ${row.numero_orden}` });
    const moved = Math.min(owed, total);
    const referencia = `Pasa al pedido ${rest.numero_orden}`;
    await changeReturn(tx, id, {
      resto_pedido_id: rest.id,
      ...(moved && refundedBy(devolucion, moved, referencia)),
    });
    await changePedido(tx, actor, row, moved ? refundColumns(row, moved) : {}, {
      ...{ accion: 'El resto va en otro pedido', action: 'update' as const, nota: rest.numero_orden },
    });
    await notifyOfRefund(tx, { pedido_id: row.id, devolucion_id: id, cents: moved });
    if (moved) {
      const referencia = `Del pedido ${row.numero_orden}`;
      await recordPago(tx, rest, { estado: 'pagado', proveedor: 'manual', referencia, importe_cents: moved, devolucion_id: id });
    }
    return lockPedido(tx, actor, rest.id);
  });
}

/** Builds the order for the rest: lines at their agreed price, worth `total` cents together. */
export function restOrder(row: PedidoRow, ordered: readonly Line[], left: readonly Returned[], total: number): Built {
  const missing = new Map<number, number>();
  for (const { numero, cantidad } of left) missing.set(numero, (missing.get(numero) ?? 0) + cantidad);
  const lines = ordered
    .filter(({ numero }) => missing.has(numero))
    .map((line, i) => {
      const cantidad = missing.get(line.numero) ?? 0;
      return {
        ...line,
        numero: i + 1,
        cantidad,
        unidades: unitsFor(line, cantidad),
        precio_total_cents: Math.round((line.precio_total_cents * cantidad) / line.cantidad),
      };
    });
  const priced = lines.reduce((sum, { precio_total_cents }) => sum + precio_total_cents, 0);
  // Rounding each line can leave the sum short of `total`.
  const [first] = lines;
  if (first && total > priced) first.precio_total_cents += total - priced;
  const summary = summarizeLines(lines, { envio_cents: 0, descuento_cents: Math.max(0, priced - total) });
  const id = randomUUID();
  const values = {
    id,
    numero_orden: NEXT_NUMBER,
    revendedor_id: row.revendedor_id,
    revendedor_nombre: row.revendedor_nombre,
    transportista_id: null,
    transportista_nombre: null,
    // Copies the fields without references of other programs, which must keep finding the first order.
    ...editableFields(copyFields<CreatePedido>(row, EDITABLE_FIELDS)),
    metadata: null,
    ...summary,
    envio_fijado: true,
    estado: 'pendiente',
    contra_reembolso: row.contra_reembolso,
    // Excludes this order from the cash limit of a sale: the total of the first order already includes these goods.
    venta_aparte: true,
    fecha_pedido: sql<string>`now()`,
    fecha_estimada: promisedDate(),
    fecha_estimada_fijada: false,
    pago_token: newPagoToken(),
  } as const;
  return { id, values, lines };
}
