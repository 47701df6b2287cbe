import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type Facturable = z.infer<typeof schemas.facturable>;

export const listFacturables = endpoint<typeof schemas.listFacturables>()('GET', '/api/facturables', { action: 'factura:read' });

export const resumenFacturables = endpoint<typeof schemas.resumenFacturables>()('GET', '/api/facturables/resumen', {
  action: 'factura:read',
});

export const ficheroFacturables = endpoint<typeof schemas.ficheroFacturables>()('GET', '/api/facturables/fichero', {
  action: 'factura:read',
  stepUp: true,
  keysWithoutProof: true,
});

export const tomarFacturables = endpoint<typeof schemas.tomarFacturables>()('POST', '/api/facturables/tomadas', {
  action: 'factura:take',
});

export const soltarFacturables = endpoint<typeof schemas.soltarFacturables>()('POST', '/api/facturables/soltadas', {
  action: 'factura:take',
});

export const listSinTipo = endpoint<typeof schemas.listSinTipo>()('GET', '/api/facturables/sin-tipo', { action: 'iva:fill' });

export const ponerIntracomunitaria = endpoint<typeof schemas.ponerIntracomunitaria>()('POST', '/api/facturables/intracomunitaria', {
  action: 'iva:fill',
});

export const ponerTipos = endpoint<typeof schemas.ponerTipos>()('POST', '/api/facturables/tipos', { action: 'iva:fill' });
