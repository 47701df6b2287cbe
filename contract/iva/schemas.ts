import { z } from 'zod';
import { FILAS_IVA, TIPOS_IVA } from './fields.ts';

export const tipoIva = z.enum(TIPOS_IVA, 'Elige un tipo de IVA');

/** A row of an order's breakdown, in euros. */
export const filaIva = z.object({
  tipo: z
    .enum(FILAS_IVA)
    .describe(
      'Rate in per cent, `exento`, `exportacion` (Canary Islands, Ceuta, Melilla, outside the EU), `intracomunitaria`, `no_sujeto` (rule before 0.3.0) or `sin_tipo` (lines without a rate)',
    ),
  base: z.number(),
  cuota: z.number(),
  total: z.number(),
});
