import { createHmac } from 'node:crypto';
import { METODO_PAGO_LABEL } from '../../contract/payments/fields.ts';
import { SISTEMA } from '../../contract/policy/policy.ts';
import { ANTES_DE_SALIR } from '../../contract/tienda/fields.ts';
import type { Tx } from '../db/open.ts';
import { takePayment } from '../pedidos/escritura/cobrar.ts';
import { lockPedido } from '../pedidos/lectura/row.ts';
import { applyTransition } from '../pedidos/pasos/transition.ts';
import type { WebOrder } from './order.ts';

/** Keyed fingerprints of the parts of an order that can change in the shop, which reveal nothing about the customer. */
export type Marks = Record<keyof typeof PARTS, string>;

const PARTS = {
  direccion: ({ cliente: { cliente_nif: _, ...address } }: WebOrder): unknown => address,
  productos: ({ lineas }: WebOrder): unknown => lineas.map(({ iva: _, ...line }) => line),
  importe: ({ envio_cents, descuento_cents, total_cents }: WebOrder): unknown => [envio_cents, descuento_cents, total_cents],
  instrucciones: ({ instrucciones }: WebOrder): unknown => instrucciones,
  reembolso: ({ devuelto_cents }: WebOrder): unknown => devuelto_cents,
};
const WORDS: Record<keyof typeof PARTS, string> = {
  direccion: 'el cliente o su dirección',
  productos: 'los productos',
  importe: 'el importe',
  instrucciones: 'la nota del cliente',
  reembolso: 'un reembolso',
};

export const marksOf = (order: WebOrder, secretKey: string): Marks =>
  Object.fromEntries(
    Object.entries(PARTS).map(([name, of]) => [
      name,
      createHmac('sha256', secretKey)
        .update(JSON.stringify(of(order)))
        .digest('base64url')
        .slice(0, 16),
    ]),
  ) as Marks;

/**
 * Applies a payment made in the shop, and a cancellation there if the order has not left yet. Returns a sentence about other changes, or
 * null. Other changes are shown and not applied, because the parcel may already be prepared.
 */
export async function follow(tx: Tx, pedido_id: string, order: WebOrder, before: Marks, now: Marks): Promise<string | null> {
  const row = await lockPedido(tx, SISTEMA, pedido_id);
  const changed = (Object.keys(PARTS) as (keyof typeof PARTS)[]).filter((name) => before[name] !== now[name]);
  const told = changed.length ? `En la tienda ha cambiado ${changed.map((name) => WORDS[name]).join(', ')}` : null;
  if (order.situacion === 'cancelado') {
    if (row.estado === 'cancelado' || row.deleted_at) return null;
    if (!ANTES_DE_SALIR.some((estado) => estado === row.estado)) return 'La tienda lo ha cancelado, pero ya había salido';
    await applyTransition(tx, SISTEMA, row, { name: 'cancelar', motivo: 'Cancelado en la tienda' });
    return null;
  }
  if (order.pago && row.pendiente_cents > 0 && row.estado !== 'cancelado' && !row.deleted_at && !changed.includes('importe')) {
    const pago = { proveedor: order.pago.metodo, referencia: order.pago.referencia, importe_cents: row.pendiente_cents };
    await takePayment(tx, SISTEMA, row, pago, `${METODO_PAGO_LABEL[order.pago.metodo]} en la tienda`);
  }
  return told;
}
