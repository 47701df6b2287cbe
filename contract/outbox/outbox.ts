import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type Canal = z.infer<typeof schemas.canal>;

export type Esperando = z.infer<typeof schemas.esperando>;

export type Perdido = z.infer<typeof schemas.perdido>;

export const listUndelivered = endpoint<typeof schemas.listUndelivered>()('GET', '/api/tareas/mensajes', 'job:read');

export const resendGivenUp = endpoint<typeof schemas.resendGivenUp>()('POST', '/api/tareas/mensajes/reenviar', 'job:read');
