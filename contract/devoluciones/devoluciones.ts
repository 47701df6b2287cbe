import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type Devolucion = z.infer<typeof schemas.devolucion>;
export type PorRecibir = z.infer<typeof schemas.porRecibir>;

export const listDevoluciones = endpoint<typeof schemas.listDevoluciones>()('GET', '/api/pedidos/:id/devoluciones', 'pedido:returns');

export const createDevolucion = endpoint<typeof schemas.createDevolucion>()('POST', '/api/pedidos/:id/devoluciones', 'devolucion:manage');

export const reembolsarDevolucion = endpoint<typeof schemas.reembolsarDevolucion>()(
  'POST',
  '/api/devoluciones/:id/reembolso',
  'devolucion:manage',
);

export const retenerDevolucion = endpoint<typeof schemas.retenerDevolucion>()('POST', '/api/devoluciones/:id/retener', 'devolucion:manage');

export const moverDevolucion = endpoint<typeof schemas.moverDevolucion>()('POST', '/api/devoluciones/:id/mover', 'devolucion:manage');

export const pedirResto = endpoint<typeof schemas.pedirResto>()('POST', '/api/devoluciones/:id/resto', 'devolucion:manage');

export const anularDevolucion = endpoint<typeof schemas.anularDevolucion>()('POST', '/api/devoluciones/:id/anular', 'devolucion:manage');

export const listPorRecibir = endpoint<typeof schemas.listPorRecibir>()('GET', '/api/caja/mercancia', 'devolucion:manage');

export const recibirMercancia = endpoint<typeof schemas.recibirMercancia>()('POST', '/api/pedidos/:id/recibir', 'devolucion:manage');

export const recibirDevolucion = endpoint<typeof schemas.recibirDevolucion>()('POST', '/api/devoluciones/:id/recibir', 'devolucion:manage');
