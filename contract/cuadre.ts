import type { z } from 'zod';
import type * as schemas from './cuadre.schemas.ts';
import { endpoint } from './kit.ts';

/** Unit of `hay` and `esperado`; euros and quantities are numbers. */
export const UNIDADES = ['euros', 'cantidad', 'texto'] as const;

export type Unidad = (typeof UNIDADES)[number];

export type FilaDiferencia = z.infer<typeof schemas.fila>;

/** Rows kept per check; `cuantas` counts all. */
export const MAX_FILAS = 20;

export type Diferencia = z.infer<typeof schemas.diferencia>;

export type Cuadre = z.infer<typeof schemas.cuadre>;

export const getCuadre = endpoint<typeof schemas.getCuadre>()('GET', '/api/cuadre', { action: 'cuadre:manage' });

export const startCuadre = endpoint<typeof schemas.startCuadre>()('POST', '/api/cuadre', { action: 'cuadre:manage' });
