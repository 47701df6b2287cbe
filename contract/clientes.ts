import type { z } from 'zod';
import type * as schemas from './clientes.schemas.ts';
import { endpoint } from './kit.ts';

/* Customers, derived from orders: by telephone, else name and postcode, per seller. Joined customers read as one. */

export const MAX_NOTA = 1000;

export const MAX_MOTIVO_BLOQUEO = 300;

export type Cliente = z.infer<typeof schemas.cliente>;

export type Ficha = z.infer<typeof schemas.ficha>;

export type ClienteEntero = z.infer<typeof schemas.clienteEntero>;

export const CLIENTE_SORTS = ['ultimo_pedido', 'nombre', 'pedidos', 'total'] as const;

export const VER_CLIENTES = ['bloqueados', 'avisar'] as const;

export const listClientes = endpoint<typeof schemas.listClientes>()('GET', '/api/clientes', { action: 'cliente:read' });

export const getCliente = endpoint<typeof schemas.getCliente>()('GET', '/api/clientes/:id', { action: 'cliente:read' });

export const updateCliente = endpoint<typeof schemas.updateCliente>()('PUT', '/api/clientes/:id', { action: 'cliente:manage' });

export const bloquearCliente = endpoint<typeof schemas.bloquearCliente>()('PUT', '/api/clientes/:id/bloqueo', { action: 'cliente:block' });

export const unirCliente = endpoint<typeof schemas.unirCliente>()('POST', '/api/clientes/:id/unir', { action: 'cliente:manage' });

export const separarCliente = endpoint<typeof schemas.separarCliente>()('POST', '/api/clientes/:id/separar', { action: 'cliente:manage' });
