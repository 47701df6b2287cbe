import type { z } from 'zod';
import { endpoint } from './kit.ts';
import type * as schemas from './ruta.schemas.ts';

/* The day's route (decision 075), behind the setting `dayRoute`. */

/** Visits of one route. */
export const MAX_PARADAS = 300;

export type Ruta = z.infer<typeof schemas.ruta>;

export const getRuta = endpoint<typeof schemas.getRuta>()('GET', '/api/transportista/ruta', { action: 'pedido:route' });

export const guardarRuta = endpoint<typeof schemas.guardarRuta>()('PUT', '/api/transportista/ruta', { action: 'pedido:route' });
