import { z } from 'zod';
import { doneWith, id, isoInstant, operation, text } from '../kit/schemas.ts';
import { MAX_COMENTARIO } from './fields.ts';

export const comentario = z.object({
  id,
  autor_nombre: z.string(),
  autor_role: z.string(),
  texto: z.string(),
  created_at: isoInstant,
});

export const listComentarios = operation('What was written about the order, oldest first; a carrier gets only what they wrote themselves', {
  200: z.object({
    data: z.array(comentario),
    personas: z.array(z.string()).describe('Names that may be mentioned with @: everyone who reads all comments of the order'),
  }),
});

export const addComentario = operation('Write about the order; whoever is called by @ and their full name is told', {
  body: z.strictObject({ texto: text(MAX_COMENTARIO, 'Escribe el comentario') }),
  201: doneWith(comentario),
});
