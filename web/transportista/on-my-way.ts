import type { PedidoTransportista } from '../../contract/pedidos.ts';
import { whatsappNumber } from '../../contract/whatsapp.ts';

type Pedido = Pick<PedidoTransportista, 'cliente_nombre' | 'cliente_telefono' | 'cliente_direccion' | 'numero_orden'>;

/** Opens WhatsApp to the customer with «voy de camino» written; undefined without a number that WhatsApp takes. */
export function onMyWayHref(pedido: Pedido, carrier: string): string | undefined {
  const number = whatsappNumber(pedido.cliente_telefono);
  if (!number) return undefined;
  const text = `Hola, ${pedido.cliente_nombre}: soy ${carrier}, te llevo el pedido ${pedido.numero_orden}. Voy de camino a ${pedido.cliente_direccion}.`;
  return `https://wa.me/${number}?text=${encodeURIComponent(text)}`;
}
