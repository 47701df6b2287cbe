import { endpoint } from './kit.ts';
import type * as schemas from './pedidos.lote.schemas.ts';

export const MAX_LOTE = 500;

export const lotePedidos = endpoint<typeof schemas.lotePedidos>()('POST', '/api/pedidos/lote', { action: 'pedido:batch' });

export const calcularDevolucion = endpoint<typeof schemas.calcularDevolucion>()('POST', '/api/pedidos/lote/devolucion', {
  action: 'pedido:batch',
});
