import type { z } from 'zod';
import type * as schemas from './comentarios.schemas.ts';
import { endpoint } from './kit.ts';

export const MAX_COMENTARIO = 1000;

export type Comentario = z.infer<typeof schemas.comentario>;

export const listComentarios = endpoint<typeof schemas.listComentarios>()('GET', '/api/pedidos/:id/comentarios', {
  action: 'pedido:comment',
});

export const addComentario = endpoint<typeof schemas.addComentario>()('POST', '/api/pedidos/:id/comentarios', { action: 'pedido:comment' });
