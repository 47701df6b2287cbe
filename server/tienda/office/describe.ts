import { METODO_PAGO_LABEL } from '../../../contract/payments/fields.ts';
import { ESTADO } from '../../../contract/pedidos/estados.ts';
import type { ParteWeb } from '../../../contract/tienda/fields.ts';
import type { CambioTienda, PedidoTienda } from '../../../contract/tienda/tienda.ts';
import { inEuros } from '../../kit/money.ts';
import type { PedidoRow } from '../../pedidos/lectura/row.ts';
import type { Line } from '../../pedidos/lineas/lineas.ts';
import type { WebOrder } from '../reading/order.ts';

/* A shop's order in words, and what differs from the order here. */

type Address = Pick<PedidoRow, Exclude<keyof WebOrder['cliente'], 'cliente_nif'>>;

const addressOf = (to: Address): string =>
  [
    [to.cliente_nombre, to.cliente_telefono],
    [to.cliente_direccion, to.cliente_direccion2],
    [to.cliente_codigo_postal, to.cliente_ciudad, to.cliente_provincia, to.cliente_pais],
  ]
    .map((parts) => parts.filter(Boolean).join(', '))
    .filter(Boolean)
    .join(' · ');

const amountsOf = (total: number, envio: number, descuento: number) =>
  [inEuros(total), envio > 0 && `envío ${inEuros(envio)}`, descuento > 0 && `descuento ${inEuros(descuento)}`].filter(Boolean).join(', ');

const goodsOf = ({ lineas }: WebOrder) =>
  lineas
    .map(({ cantidad, nombre, texto, total_cents }) => `${cantidad} × ${nombre}${texto ? ` (${texto})` : ''}: ${inEuros(total_cents)}`)
    .join('; ');

const paymentOf = ({ pago, contra_reembolso, total_cents, forma }: WebOrder): string => {
  if (forma) return `«${forma.titulo || 'sin forma de pago'}»`;
  if (contra_reembolso) return 'Se cobra al entregar';
  return pago
    ? `${METODO_PAGO_LABEL[pago.metodo]} en la tienda: ${inEuros(total_cents)}${pago.referencia ? ` (${pago.referencia})` : ''}`
    : 'Por cobrar';
};

/** The message in words, for a person who compares it with what they know. */
export const webOrderInWords = (order: WebOrder): PedidoTienda['mensaje'] =>
  [
    { que: 'Para', texto: addressOf(order.cliente) },
    { que: 'NIF', texto: order.cliente.cliente_nif ?? '' },
    { que: 'Nota', texto: order.instrucciones ?? '' },
    { que: 'Productos', texto: goodsOf(order) },
    { que: 'Importe', texto: amountsOf(order.total_cents, order.envio_cents, order.descuento_cents) },
    { que: 'Pago', texto: paymentOf(order) },
    { que: 'Recogida', texto: order.recogida ?? '' },
    ...(order.elegido ?? []),
    { que: 'Devuelto', texto: order.devuelto_cents ? inEuros(order.devuelto_cents) : '' },
    { que: 'Estado en la tienda', texto: order.estado },
  ].filter(({ texto }) => texto);

type Here = { row: PedidoRow; lines: readonly Line[] };

const SIDES: Record<ParteWeb, (here: Here, order: WebOrder) => [antes: string, ahora: string]> = {
  direccion: ({ row }, { cliente }) => [addressOf(row), addressOf(cliente)],
  nif: ({ row }, { cliente }) => [row.cliente_nif ?? '', cliente.cliente_nif ?? ''],
  productos: ({ lines }, order) => [
    lines.map(({ cantidad, producto, precio_total_cents }) => `${cantidad} × ${producto}: ${inEuros(precio_total_cents)}`).join('; '),
    goodsOf(order),
  ],
  importe: ({ row }, { total_cents, envio_cents, descuento_cents }) => [
    amountsOf(row.precio_total_cents, row.envio_cents, row.descuento_cents),
    amountsOf(total_cents, envio_cents, descuento_cents),
  ],
  instrucciones: ({ row }, { instrucciones }) => [row.instrucciones ?? '', instrucciones ?? ''],
  pago: ({ row }, order) => [`Aquí hay cobrados ${inEuros(row.pagado_cents)}`, paymentOf(order)],
  estado: ({ row }, order) => [row.deleted_at ? 'Eliminado' : ESTADO[row.estado].label, paymentOf(order)],
};

/** Differences between the order here and in the shop, each with both values. */
export const webOrderChanges = (cambios: readonly string[], here: Here, order: WebOrder): CambioTienda[] =>
  (cambios as ParteWeb[]).map((parte) => {
    const [antes, ahora] = SIDES[parte](here, order);
    return { parte, antes: antes || '—', ahora: ahora || '—' };
  });
