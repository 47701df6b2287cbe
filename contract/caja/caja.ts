import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type Caja = z.infer<typeof schemas.caja>;

export const listCajas = endpoint<typeof schemas.listCajas>()('GET', '/api/caja', { action: 'caja:read' });

export const entregarCaja = endpoint<typeof schemas.entregarCaja>()('POST', '/api/caja/entregar', { action: 'caja:deliver' });

export const recibirCaja = endpoint<typeof schemas.recibirCaja>()('POST', '/api/caja/recibir', { action: 'caja:confirm' });

export const confirmarCaja = endpoint<typeof schemas.confirmarCaja>()('POST', '/api/caja/:id/confirmar', { action: 'caja:confirm' });
