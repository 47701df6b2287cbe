import type { z } from 'zod';
import type * as schemas from './caja.schemas.ts';
import { endpoint } from './kit.ts';

/** `abierta`: in the carrier's hands; `entregada`: counted by the carrier, not yet by the office. */
export const ESTADOS_CAJA = ['abierta', 'entregada', 'confirmada'] as const;

export const ESTADO_CAJA_LABEL: Record<(typeof ESTADOS_CAJA)[number], string> = {
  abierta: 'En mano',
  entregada: 'Por confirmar',
  confirmada: 'Confirmada',
};

export type Caja = z.infer<typeof schemas.caja>;

/** Days shown; those not confirmed come first and are always among them. */
export const MAX_CAJAS = 200;

export const listCajas = endpoint<typeof schemas.listCajas>()('GET', '/api/caja', { action: 'caja:read' });

export const entregarCaja = endpoint<typeof schemas.entregarCaja>()('POST', '/api/caja/entregar', { action: 'caja:deliver' });

export const confirmarCaja = endpoint<typeof schemas.confirmarCaja>()('POST', '/api/caja/:id/confirmar', { action: 'caja:confirm' });
