import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type Cliente = z.infer<typeof schemas.cliente>;

export type Ficha = z.infer<typeof schemas.ficha>;

export type ClienteEntero = z.infer<typeof schemas.clienteEntero>;

export const listClientes = endpoint<typeof schemas.listClientes>()('GET', '/api/clientes', 'cliente:read');

export const getCliente = endpoint<typeof schemas.getCliente>()('GET', '/api/clientes/:id', 'cliente:read');

export type Costumbre = z.infer<typeof schemas.orderHabits>;

export const getCostumbre = endpoint<typeof schemas.getCostumbre>()('GET', '/api/clientes/costumbre', {
  action: 'cliente:read',
  also: 'pedido:prices',
});

export const updateCliente = endpoint<typeof schemas.updateCliente>()('PUT', '/api/clientes/:id', 'cliente:manage');

export const bloquearCliente = endpoint<typeof schemas.bloquearCliente>()('PUT', '/api/clientes/:id/bloqueo', 'cliente:block');

export const unirCliente = endpoint<typeof schemas.unirCliente>()('POST', '/api/clientes/:id/unir', 'cliente:manage');

export const separarCliente = endpoint<typeof schemas.separarCliente>()('POST', '/api/clientes/:id/separar', 'cliente:manage');
