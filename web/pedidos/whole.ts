import type { Pedido, PedidoDisponible, PedidoTransportista } from '../../contract/pedidos.ts';

type ByRole = Pedido | PedidoTransportista | PedidoDisponible;

/** True for an order with everything in it, which is what a superadmin and its reseller are sent. */
export const isWhole = (pedido: ByRole): pedido is Pedido => 'precio_total' in pedido;
