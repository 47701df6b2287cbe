import type { PedidoDisponible, PedidoTransportista } from '../../contract/pedidos.ts';

type Lines = Pick<PedidoDisponible, 'cliente_direccion' | 'cliente_codigo_postal' | 'cliente_ciudad' | 'cliente_provincia'> &
  Partial<Pick<PedidoTransportista, 'cliente_direccion2' | 'cliente_pais'>>;

/** Formats the address in one line; names the country only outside Spain. */
export function addressOf(pedido: Lines): string {
  const town = [pedido.cliente_codigo_postal, pedido.cliente_ciudad].filter(Boolean).join(' ');
  const province = pedido.cliente_provincia === pedido.cliente_ciudad ? null : pedido.cliente_provincia;
  const country = /^españa$/i.test(pedido.cliente_pais ?? '') ? null : pedido.cliente_pais;
  return [pedido.cliente_direccion, pedido.cliente_direccion2, town, province, country].filter(Boolean).join(', ');
}
