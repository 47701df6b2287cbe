import type { Pedido, PedidoDisponible, PedidoTransportista } from './pedidos.ts';

type ByRole = Pedido | PedidoTransportista | PedidoDisponible;

/** True for an order with all fields, as superadmins and its reseller receive it. */
export const isWhole = (pedido: ByRole): pedido is Pedido => 'precio_total' in pedido;
