import type { z } from 'zod';
import { endpoint } from './kit.ts';
import type { InputName } from './pedidos.inputs.ts';
import type * as schemas from './transportista.schemas.ts';

export const listDisponibles = endpoint<typeof schemas.listDisponibles>()('GET', '/api/transportista/pedidos-disponibles', {
  action: 'pedido:take',
});

export const autoAsignar = endpoint<typeof schemas.autoAsignar>()('POST', '/api/transportista/pedidos/:id/auto-asignar', {
  action: 'pedido:take',
});

export const MAX_TOMAR = 50;

export const tomarPedidos = endpoint<typeof schemas.tomarPedidos>()('POST', '/api/transportista/pedidos/tomar', { action: 'pedido:take' });

/** Inputs of a refused step shown to the office. */
export const TOLD_INPUTS = [
  'motivo',
  'llamado',
  'metodo_entrega',
  'cobrado',
  'cobrado_metodo',
  'cobrado_motivo',
  'forma_entrega',
  'receptor_nombre',
  'receptor_relacion',
] as const satisfies readonly InputName[];

export const contarNoAceptado = endpoint<typeof schemas.contarNoAceptado>()('POST', '/api/transportista/no-aceptados', {
  action: 'pedido:take',
});

export type SinEnviar = z.infer<typeof schemas.sinEnviar>;

export const listSinEnviar = endpoint<typeof schemas.listSinEnviar>()('GET', '/api/transportista/sin-enviar', { action: 'pedido:assign' });

export const listCiudades = endpoint<typeof schemas.listCiudades>()('GET', '/api/transportista/ciudades', { action: 'pedido:take' });
