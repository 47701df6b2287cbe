import { endpoint } from './kit.ts';
import type * as schemas from './transportista.schemas.ts';

export const listDisponibles = endpoint<typeof schemas.listDisponibles>()('GET', '/api/transportista/pedidos-disponibles', {
  action: 'pedido:take',
});

export const autoAsignar = endpoint<typeof schemas.autoAsignar>()('POST', '/api/transportista/pedidos/:id/auto-asignar', {
  action: 'pedido:take',
});

export const MAX_TOMAR = 50;

export const tomarPedidos = endpoint<typeof schemas.tomarPedidos>()('POST', '/api/transportista/pedidos/tomar', { action: 'pedido:take' });

export const contarNoAceptado = endpoint<typeof schemas.contarNoAceptado>()('POST', '/api/transportista/no-aceptados', {
  action: 'pedido:take',
});

export const listCiudades = endpoint<typeof schemas.listCiudades>()('GET', '/api/transportista/ciudades', { action: 'pedido:take' });
