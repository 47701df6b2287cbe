import { sql } from 'kysely';
import type { Devolucion, retenerDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import { type Actor, SISTEMA } from '../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { conflict, invalid } from '../kit/errors.ts';
import { inEuros, toCents } from '../kit/money.ts';
import { takePayment } from '../pedidos/escritura/cobrar.ts';
import { change } from '../pedidos/historia/change.ts';
import { lockPedido, lockPedidos, type PedidoRow } from '../pedidos/lectura/row.ts';
import { changeReturn, orderOfReturn, type ReturnRow, returnsOf, type ValuedReturn } from '../pedidos/lineas/devuelto.ts';
import { owedByReturn } from '../pedidos/pagos/overpaid.ts';
import { notifyOfRefund } from '../pedidos/pagos/pago-events.ts';
import { presentReturn, refuseUndelivered } from './devoluciones.ts';

/* What a return is worth is due back until it is refunded, kept with a reason, or moved to another order (decision 101). */

/** Notes a refund of a return, in euros; several add up. Throws 404; 409 if nothing is owed; 422 for more than is owed. */
export async function refundReturn(
  db: Db,
  actor: Actor,
  id: string,
  { reembolso, referencia }: { reembolso: number; referencia: string | null },
): Promise<Devolucion> {
  return transact(db, async (tx) => {
    const { row, devolucion, owed } = await lockOwed(tx, actor, id);
    const cents = amountOf('reembolso', reembolso, owed);
    await notifyOfRefund(tx, { pedido_id: row.id, devolucion_id: id, cents });
    await change(tx, actor, row, refunded(row, cents), { accion: 'Reembolso anotado', action: 'update', nota: referencia });
    await changeReturn(tx, id, refundedBy(devolucion, cents, referencia));
    return presentReturn(tx, actor, row.id, id);
  });
}

/** Notes `cents` that went back by themselves at the returns of a locked order that owe money, oldest first; returns the cents noted. */
export async function noteRefunds(tx: Tx, row: PedidoRow, cents: number, referencia: string): Promise<number> {
  const returns = await returnsOf(tx, row.id);
  const owed = owedByReturn(row, returns);
  let noted = 0;
  for (const devolucion of returns.toReversed()) {
    const part = Math.min(cents - noted, owed.get(devolucion.id) ?? 0);
    if (part === 0) continue;
    noted += part;
    await notifyOfRefund(tx, { pedido_id: row.id, devolucion_id: devolucion.id, cents: part });
    await changeReturn(tx, devolucion.id, refundedBy(devolucion, part, referencia));
  }
  if (noted > 0) await change(tx, SISTEMA, row, refunded(row, noted), { accion: 'Reembolso anotado', action: 'update', nota: referencia });
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
    const retenido_cents = devolucion.retenido_cents + amountOf('importe', importe, owed);
    const retenido_motivo = [devolucion.retenido_motivo, motivo].filter(Boolean).join('; ').slice(0, 1000);
    await changeReturn(tx, id, { retenido_cents, retenido_motivo });
    const set = { devuelto_cents: sql<number>`valor_devuelto(id, cantidad_devuelta)` };
    await change(tx, actor, row, set, { accion: 'Parte que no se reembolsa', action: 'update', nota: motivo });
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
    await change(tx, actor, row, refunded(row, moved), step);
    return presentReturn(tx, actor, row.id, id);
  });
}

/** Returns a return with its locked order and the cents still to refund of it. Throws 404; 409 if it is annulled or its order is deleted. */
export async function lockReturn(tx: Tx, actor: Actor, id: string): Promise<{ row: PedidoRow; devolucion: ValuedReturn; owed: number }> {
  const row = await lockPedido(tx, actor, await orderOfReturn(tx, id));
  refuseUndelivered(row);
  const returns = await returnsOf(tx, row.id);
  const devolucion = returns.find((one) => one.id === id);
  if (!devolucion || devolucion.anulada_at) throw conflict('Esta devolución ya está anulada');
  return { row, devolucion, owed: owedByReturn(row, returns).get(id) ?? 0 };
}

async function lockOwed(tx: Tx, actor: Actor, id: string) {
  const found = await lockReturn(tx, actor, id);
  const isNoted = found.devolucion.reembolso_cents > 0;
  if (found.owed === 0) throw conflict(isNoted ? 'Este reembolso ya está anotado' : 'No queda nada por reembolsar');
  return found;
}

function amountOf(field: string, amount: number, owed: number): number {
  const cents = toCents(amount);
  if (cents === 0) throw invalid(field, field === 'importe' ? 'Indica cuánto no se reembolsa' : 'Indica cuánto se ha reembolsado');
  if (cents > owed) throw invalid(field, `Quedan ${inEuros(owed)} por reembolsar`);
  return cents;
}

/** Columns of the order after a refund of `cents`. */
export const refunded = ({ reembolsado_cents }: PedidoRow, cents: number) => ({ reembolsado_cents: reembolsado_cents + cents });

/** Columns of the return after a refund of `cents`. */
export const refundedBy = (before: ReturnRow, cents: number, referencia: string | null) => ({
  reembolso_cents: before.reembolso_cents + cents,
  referencia: [before.referencia, referencia].filter(Boolean).join(', ') || null,
});
