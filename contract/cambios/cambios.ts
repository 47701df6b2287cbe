import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

/* Changes since a program's last request, so that a copy neither misses nor repeats any. */

/** Error code for a cursor of another server, or older than a restore or the oldest stored event: start again without a cursor. */
export const CURSOR_EXPIRED = 'cursor_expired';

export const cambiosPedidos = endpoint<typeof schemas.cambiosPedidos>()('GET', '/api/cambios/pedidos', 'pedido:list');

export const cambiosClientes = endpoint<typeof schemas.cambiosClientes>()('GET', '/api/cambios/clientes', 'cliente:read');

export const cambiosProductos = endpoint<typeof schemas.cambiosProductos>()('GET', '/api/cambios/productos', 'product:manage');
