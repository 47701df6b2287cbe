import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './lote.schemas.ts';

export const lotePedidos = endpoint<typeof schemas.lotePedidos>()('POST', '/api/pedidos/lote', 'pedido:batch');

export const calcularDevolucion = endpoint<typeof schemas.calcularDevolucion>()('POST', '/api/pedidos/lote/devolucion', 'pedido:batch');
