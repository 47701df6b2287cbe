import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

/** Amounts in euros; orders counted by `fecha_pedido`, in days of the business's time zone. */
export const adminStats = endpoint<typeof schemas.adminStats>()('GET', '/api/stats/admin', 'stats:read');

export const revendedorStats = endpoint<typeof schemas.revendedorStats>()('GET', '/api/stats/revendedor', 'stats:sold');

/** Counts only: carriers never see amounts. */
export const transportistaStats = endpoint<typeof schemas.transportistaStats>()('GET', '/api/stats/transportista', 'stats:carried');

/** One point per day of the range, days without orders included. */
export const serieStats = endpoint<typeof schemas.serieStats>()('GET', '/api/stats/serie', 'stats:read');

export const atencionStats = endpoint<typeof schemas.atencionStats>()('GET', '/api/stats/atencion', 'stats:read');

/** Below the address of `atencionStats`, so that the same changes make both stale. Closed to keys: it names customers, payments and cash. */
export const hoyStats = endpoint<typeof schemas.hoyStats>()('GET', '/api/stats/atencion/hoy', 'caja:confirm');

/** Below the address of `atencionStats` too, and closed to keys for the same reason. */
export const finDelDiaStats = endpoint<typeof schemas.finDelDiaStats>()('GET', '/api/stats/atencion/fin-del-dia', 'caja:confirm');

export const porCobrarStats = endpoint<typeof schemas.porCobrarStats>()('GET', '/api/stats/por-cobrar', 'stats:read');

export const transportistasStats = endpoint<typeof schemas.transportistasStats>()('GET', '/api/stats/transportistas', 'stats:read');
