import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type Escaneado = z.infer<(typeof schemas.escanearPedido.response)[200]>['pedidos'][number];

export const imprimirEtiquetas = endpoint<typeof schemas.imprimirEtiquetas>()('GET', '/api/pedidos/etiquetas', 'pedido:label');

export const escanearPedido = endpoint<typeof schemas.escanearPedido>()('GET', '/api/transportista/escanear', 'pedido:load');

export const cargarPedido = endpoint<typeof schemas.cargarPedido>()('POST', '/api/pedidos/:id/cargado', 'pedido:load');
