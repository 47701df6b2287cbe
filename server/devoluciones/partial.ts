import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { PARCIAL } from '../../contract/devoluciones/fields.ts';
import { EDITABLE_FIELDS } from '../../contract/pedidos/fields.ts';
import type { CreatePedido } from '../../contract/pedidos/pedidos.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import { type Db, transact } from '../db/open.ts';
import { conflict } from '../kit/errors.ts';
import { type Built, copyOf, editablesOf, newToken, store } from '../pedidos/escritura/create.ts';
import { NEXT_NUMBER } from '../pedidos/escritura/numbers.ts';
import { change } from '../pedidos/historia/change.ts';
import { refuseBlockedData } from '../pedidos/lectura/blocked.ts';
import { promised } from '../pedidos/lectura/promised.ts';
import { lockPedido, type PedidoRow } from '../pedidos/lectura/row.ts';
import { changeReturn, type Returned, returnedLines } from '../pedidos/lineas/devuelto.ts';
import { type Line, readLines, summaryOf, unitsFor } from '../pedidos/lineas/lineas.ts';
import { notifyOfRefund } from '../pedidos/pagos/pago-events.ts';
import { recordPago } from '../pedidos/pagos/pagos.ts';
import { readSettings } from '../settings/settings.ts';
import { lockReturn, refunded, refundedBy } from './refunds.ts';

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
    const built = restOf(row, ordered, lines, total);
    const { cashOnDelivery } = await readSettings(tx);
    const values = { ...built.values, contra_reembolso: row.contra_reembolso && cashOnDelivery };
    const rest = await store(tx, actor, { ...built, values }, { accion: `Resto del pedido ${row.numero_orden}` });
    const moved = Math.min(owed, total);
    const referencia = `Pasa al pedido ${rest.numero_orden}`;
    await changeReturn(tx, id, {
      resto_pedido_id: rest.id,
      ...(moved && refundedBy(devolucion, moved, referencia)),
    });
    await change(tx, actor, row, moved ? refunded(row, moved) : {}, {
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
function restOf(row: PedidoRow, ordered: readonly Line[], left: readonly Returned[], total: number): Built {
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
  const summary = summaryOf(lines, { envio_cents: 0, descuento_cents: Math.max(0, priced - total) });
  const id = randomUUID();
  const values = {
    id,
    numero_orden: NEXT_NUMBER,
    revendedor_id: row.revendedor_id,
    revendedor_nombre: row.revendedor_nombre,
    transportista_id: null,
    transportista_nombre: null,
    // Copies the fields without references of other programs, which must keep finding the first order.
    ...editablesOf(copyOf<CreatePedido>(row, EDITABLE_FIELDS)),
    metadata: null,
    ...summary,
    envio_fijado: true,
    estado: 'pendiente',
    contra_reembolso: row.contra_reembolso,
    // Excludes this order from the cash limit of a sale: the total of the first order already includes these goods.
    venta_aparte: true,
    fecha_pedido: sql<string>`now()`,
    fecha_estimada: promised(),
    fecha_estimada_fijada: false,
    pago_token: newToken(),
  } as const;
  return { id, values, lines };
}
