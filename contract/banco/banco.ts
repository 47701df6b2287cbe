import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type MovimientoLeido = z.infer<typeof schemas.movimientoLeido>;
export type Abono = z.infer<typeof schemas.bankCredit>;
export type Extracto = z.infer<typeof schemas.bankStatement>;

export const leerExtracto = endpoint<typeof schemas.leerExtracto>()('POST', '/api/banco/extractos', {
  action: 'pago:manage',
  bodyLimit: 5_000_000,
});
export const listExtractos = endpoint<typeof schemas.listExtractos>()('GET', '/api/banco/extractos', 'pago:manage');
export const deshacerExtracto = endpoint<typeof schemas.deshacerExtracto>()('POST', '/api/banco/extractos/:id/deshacer', 'pago:manage');

/** Credits of the bank that belong to no order yet, with what is proposed for each. */
export const listAbonos = endpoint<typeof schemas.listAbonos>()('GET', '/api/banco/movimientos', 'pago:manage');
export const apuntarMovimiento = endpoint<typeof schemas.apuntarMovimiento>()('POST', '/api/banco/movimientos/:id/apuntar', 'pago:manage');
export const cerrarMovimiento = endpoint<typeof schemas.cerrarMovimiento>()('POST', '/api/banco/movimientos/:id/cerrar', 'pago:manage');
export const soltarMovimiento = endpoint<typeof schemas.soltarMovimiento>()('POST', '/api/banco/movimientos/:id/soltar', 'pago:manage');
