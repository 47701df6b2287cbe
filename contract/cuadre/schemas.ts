import { z } from 'zod';
import { doneWith, id, isoInstant, operation } from '../kit/schemas.ts';

/** Unit of `hay` and `esperado`; euros and quantities are numbers. */
const UNIDADES = ['euros', 'cantidad', 'texto'] as const;

export type Unidad = (typeof UNIDADES)[number];

/** Maximum number of rows stored per check; `cuantas` counts every row. */
export const MAX_LISTADAS = 20;

const valor = z.union([z.number(), z.string()]);

export const filaDiferencia = z.object({
  que: z.string(),
  hay: valor,
  esperado: valor,
  enlace: z.string().nullable(),
});

export const diferencia = z.object({
  name: z.string(),
  titulo: z.string(),
  unidad: z.enum(UNIDADES),
  remedio: z.string().optional().describe('What mends it and who can; absent in recounts before version 0.3.0'),
  cuantas: z.number(),
  filas: z.array(filaDiferencia),
});

/** One recount; in progress while `ended_at` is null. */
export const cuadre = z.object({
  id,
  started_at: isoInstant,
  ended_at: isoInstant.nullable(),
  hechas: z.number().describe('Parts done, of `total`; 0 until they are counted'),
  partes: z.number(),
  pedidos: z.number(),
  diferencias: z.array(diferencia),
  num_diferencias: z.number(),
});

export const getCuadre = operation('The last recount of the books, the one in progress, and what is checked', {
  200: z.object({ data: z.object({ ultimo: cuadre.nullable(), en_curso: cuadre.nullable(), comprobaciones: z.array(z.string()) }) }),
});

export const startCuadre = operation('Start a recount of the books, in the background; it changes nothing else', { 201: doneWith(cuadre) });
