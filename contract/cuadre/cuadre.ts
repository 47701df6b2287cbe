import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type FilaDiferencia = z.infer<typeof schemas.filaDiferencia>;

export type Diferencia = z.infer<typeof schemas.diferencia>;

export type Cuadre = z.infer<typeof schemas.cuadre>;

export const getCuadre = endpoint<typeof schemas.getCuadre>()('GET', '/api/cuadre', 'cuadre:manage');

export const startCuadre = endpoint<typeof schemas.startCuadre>()('POST', '/api/cuadre', 'cuadre:manage');
