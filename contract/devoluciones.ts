import type { z } from 'zod';
import type * as schemas from './devoluciones.schemas.ts';
import { endpoint } from './kit.ts';

export const MOTIVOS_DEVOLUCION = ['desistimiento', 'defectuoso', 'danado', 'equivocado', 'otro'] as const;

/** Reason for undelivered goods (decision 074), set by the program. */
export const PARCIAL = 'entrega_parcial';

export type MotivoDevolucion = (typeof MOTIVOS_DEVOLUCION)[number];

export const MOTIVO_DEVOLUCION_LABEL: Record<MotivoDevolucion | typeof PARCIAL, string> = {
  desistimiento: 'El cliente no lo quiere',
  defectuoso: 'Está defectuoso',
  danado: 'Llegó dañado',
  equivocado: 'No es lo que se pidió',
  otro: 'Otro motivo',
  entrega_parcial: 'No se entregó',
};

export const MOTIVO_DEVOLUCION_OPTIONS = MOTIVOS_DEVOLUCION.map((value) => ({ value, label: MOTIVO_DEVOLUCION_LABEL[value] }));

export const DESTINOS = ['stock', 'baja'] as const;

export type Destino = (typeof DESTINOS)[number];

export const DESTINO_LABEL: Record<Destino, string> = { stock: 'Vuelve al stock', baja: 'Se da de baja' };

export const DESTINO_OPTIONS = DESTINOS.map((value) => ({ value, label: DESTINO_LABEL[value] }));

export type Devolucion = z.infer<typeof schemas.devolucion>;

export const listDevoluciones = endpoint<typeof schemas.listDevoluciones>()('GET', '/api/pedidos/:id/devoluciones', {
  action: 'pedido:returns',
});

export const createDevolucion = endpoint<typeof schemas.createDevolucion>()('POST', '/api/pedidos/:id/devoluciones', {
  action: 'devolucion:manage',
});

export const reembolsarDevolucion = endpoint<typeof schemas.reembolsarDevolucion>()('POST', '/api/devoluciones/:id/reembolso', {
  action: 'devolucion:manage',
});

export const pedirResto = endpoint<typeof schemas.pedirResto>()('POST', '/api/devoluciones/:id/resto', { action: 'devolucion:manage' });

export const anularDevolucion = endpoint<typeof schemas.anularDevolucion>()('POST', '/api/devoluciones/:id/anular', {
  action: 'devolucion:manage',
});
