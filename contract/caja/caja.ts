import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type Caja = z.infer<typeof schemas.caja>;
export type SinRegistrar = z.infer<typeof schemas.sinRegistrar>;
export type Cobro = z.infer<typeof schemas.cobro>;

export const listCajas = endpoint<typeof schemas.listCajas>()('GET', '/api/caja', 'caja:read');

export const entregarCaja = endpoint<typeof schemas.entregarCaja>()('POST', '/api/caja/entregar', 'caja:deliver');

export const recibirCaja = endpoint<typeof schemas.recibirCaja>()('POST', '/api/caja/recibir', 'caja:confirm');

export const confirmarCaja = endpoint<typeof schemas.confirmarCaja>()('POST', '/api/caja/:id/confirmar', 'caja:confirm');

/** Payments by card or Bizum at the door that the office has not found at the terminal or the bank yet. */
export const listCobros = endpoint<typeof schemas.listCobros>()('GET', '/api/caja/cobros', 'caja:confirm');

export const comprobarCobros = endpoint<typeof schemas.comprobarCobros>()('POST', '/api/caja/cobros/comprobar', 'caja:confirm');

export const cobroSinLlegar = endpoint<typeof schemas.cobroSinLlegar>()('POST', '/api/caja/cobros/:id/sin-llegar', 'caja:confirm');

export type CobroDeEmpresa = z.infer<typeof schemas.cobroDeEmpresa>;
export type Remesa = z.infer<typeof schemas.remesaDeEmpresa>;

export type DeEmpresa = z.infer<typeof schemas.deEmpresa>;

/** Money that delivery companies collected and have not paid, and the latest remittances. */
export const listDeEmpresas = endpoint<typeof schemas.listDeEmpresas>()('GET', '/api/caja/empresas', 'pago:read');

export const ponerPlazo = endpoint<typeof schemas.ponerPlazo>()('PUT', '/api/caja/empresas/plazo', 'caja:confirm');

export const recibirDeEmpresa = endpoint<typeof schemas.recibirDeEmpresa>()('POST', '/api/caja/empresas/recibir', 'caja:confirm');

export type FilaRemesa = z.output<typeof schemas.filaRemesa>;
export type FilaRemesaLeida = z.infer<typeof schemas.filaRemesaLeida>;

export const comprobarRemesa = endpoint<typeof schemas.comprobarRemesa>()('POST', '/api/caja/empresas/remesa/comprobar', {
  action: 'caja:confirm',
  bodyLimit: 1_000_000,
});

export const leerRemesa = endpoint<typeof schemas.leerRemesa>()('POST', '/api/caja/empresas/remesa', {
  action: 'caja:confirm',
  bodyLimit: 1_000_000,
});

export const deshacerRemesa = endpoint<typeof schemas.deshacerRemesa>()('POST', '/api/caja/remesas/:id/deshacer', 'caja:confirm');

/** Money from deliveries that the server refused to register, known only from the history. */
export const listSinRegistrar = endpoint<typeof schemas.listSinRegistrar>()('GET', '/api/caja/sin-registrar', 'caja:confirm');

export const registrarLoQuePaso = endpoint<typeof schemas.registrarLoQuePaso>()(
  'POST',
  '/api/caja/sin-registrar/:id/registrar',
  'caja:confirm',
);
