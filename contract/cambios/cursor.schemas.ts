import { z } from 'zod';
import { MAX_PER_PAGE } from '../kit/pages.ts';
import { countParam } from '../kit/schemas.ts';

export const cursorQuery = {
  /** `cursor` of the last response; absent: starts from the beginning. */
  desde: z
    .string()
    .regex(/^[\w-]{1,120}$/, 'Cursor no válido')
    .optional(),
  limite: countParam(MAX_PER_PAGE, 'Límite no válido', `Como máximo ${MAX_PER_PAGE} a la vez`).default(MAX_PER_PAGE),
};
