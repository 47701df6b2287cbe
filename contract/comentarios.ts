import { z } from 'zod';
import { doneWith, endpoint, id, instant, text } from './kit.ts';

/* What people write about an order. */

export const MAX_COMENTARIO = 1000;

export const comentario = z.object({
  id,
  autor_nombre: z.string(),
  autor_role: z.string(),
  texto: z.string(),
  created_at: instant,
});
export type Comentario = z.infer<typeof comentario>;

export const listComentarios = endpoint('GET', '/api/pedidos/:id/comentarios', {
  action: 'pedido:comment',
  summary: 'What was written about the order, oldest first; a carrier gets only what they wrote themselves',
  response: {
    200: z.object({
      data: z.array(comentario),
      /** Names that may be called with @: those who read everything that is written about the order. */
      personas: z.array(z.string()),
    }),
  },
});

export const addComentario = endpoint('POST', '/api/pedidos/:id/comentarios', {
  action: 'pedido:comment',
  summary: 'Write about the order; whoever is called by @ and their full name is told',
  body: z.strictObject({ texto: text(MAX_COMENTARIO, 'Escribe el comentario') }),
  response: { 201: doneWith(comentario) },
});
