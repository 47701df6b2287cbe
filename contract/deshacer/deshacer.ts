import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type ReversalPreview = z.infer<typeof schemas.reversalPreview>;

export const verDeshacer = endpoint<typeof schemas.verDeshacer>()('GET', '/api/pedidos/:id/deshacer', 'pedido:undo');

export const deshacerPaso = endpoint<typeof schemas.deshacerPaso>()('POST', '/api/pedidos/:id/deshacer', 'pedido:undo');

export const verDeshacerVarios = endpoint<typeof schemas.verDeshacerVarios>()('POST', '/api/pedidos/deshacer/ver', 'pedido:batch');

export const deshacerVarios = endpoint<typeof schemas.deshacerVarios>()('POST', '/api/pedidos/deshacer', 'pedido:batch');
