import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type Comentario = z.infer<typeof schemas.comentario>;

export const listComentarios = endpoint<typeof schemas.listComentarios>()('GET', '/api/pedidos/:id/comentarios', 'pedido:comment');

export const addComentario = endpoint<typeof schemas.addComentario>()('POST', '/api/pedidos/:id/comentarios', 'pedido:comment');
