import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export const listDisponibles = endpoint<typeof schemas.listDisponibles>()('GET', '/api/transportista/pedidos-disponibles', 'pedido:take');

export const autoAsignar = endpoint<typeof schemas.autoAsignar>()('POST', '/api/transportista/pedidos/:id/auto-asignar', 'pedido:take');

export const tomarPedidos = endpoint<typeof schemas.tomarPedidos>()('POST', '/api/transportista/pedidos/tomar', 'pedido:take');

export const contarNoAceptado = endpoint<typeof schemas.contarNoAceptado>()('POST', '/api/transportista/no-aceptados', 'device:outbox');

export type SinEnviar = z.infer<typeof schemas.sinEnviar>;

export const listSinEnviar = endpoint<typeof schemas.listSinEnviar>()('GET', '/api/transportista/sin-enviar', 'pedido:assign');

export const listCiudades = endpoint<typeof schemas.listCiudades>()('GET', '/api/transportista/ciudades', 'pedido:take');
