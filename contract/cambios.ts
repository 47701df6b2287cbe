import type * as schemas from './cambios.schemas.ts';
import { endpoint } from './kit.ts';

/* What has changed since a program last asked, so that a copy misses nothing and reads nothing twice. */

/** Code of the refusal of a cursor from before a restore: the copy must begin again without one. */
export const CURSOR_EXPIRED = 'cursor_expired';

export const cambiosPedidos = endpoint<typeof schemas.cambiosPedidos>()('GET', '/api/cambios/pedidos', { action: 'pedido:list' });

export const cambiosClientes = endpoint<typeof schemas.cambiosClientes>()('GET', '/api/cambios/clientes', { action: 'cliente:read' });

export const cambiosProductos = endpoint<typeof schemas.cambiosProductos>()('GET', '/api/cambios/productos', { action: 'product:manage' });
