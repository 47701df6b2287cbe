import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type Contacto = z.infer<typeof schemas.contacto>;

export type PagoPublico = z.infer<typeof schemas.pagoPublico>;

export const getPago = endpoint<typeof schemas.getPago>()('GET', '/api/pagar/:token', 'public');

export const simularPago = endpoint<typeof schemas.simularPago>()('POST', '/api/pagar/:token/simular', 'public');

export const avisarTransferencia = endpoint<typeof schemas.avisarTransferencia>()('POST', '/api/pagar/:token/transferencia', 'public');

export const aplazarEntrega = endpoint<typeof schemas.aplazarEntrega>()('POST', '/api/pagar/:token/aplazar', 'public');

export const permitirVecino = endpoint<typeof schemas.permitirVecino>()('POST', '/api/pagar/:token/vecino', 'public');

export const getPruebaPublica = endpoint<typeof schemas.getPruebaPublica>()('GET', '/api/pagar/:token/pruebas/:id', 'public');

export const getEmpresa = endpoint<typeof schemas.getEmpresa>()('GET', '/api/empresa', 'public');

export const startPago = endpoint<typeof schemas.startPago>()('POST', '/api/pagar/:token/:proveedor', 'public');
