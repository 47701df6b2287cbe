import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type Ruta = z.infer<typeof schemas.ruta>;

export const getRuta = endpoint<typeof schemas.getRuta>()('GET', '/api/transportista/ruta', 'pedido:route');

export const guardarRuta = endpoint<typeof schemas.guardarRuta>()('PUT', '/api/transportista/ruta', 'pedido:route');
