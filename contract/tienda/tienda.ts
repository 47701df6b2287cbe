import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import { MAX_TIENDA_BYTES } from './fields.ts';
import type * as schemas from './schemas.ts';

export type PedidoTienda = z.infer<typeof schemas.pedidoTienda>;

export const receiveTienda = endpoint<typeof schemas.receiveTienda>()('POST', '/api/tienda/pedidos', {
  action: 'signed',
  bodyLimit: MAX_TIENDA_BYTES,
});

export const listTienda = endpoint<typeof schemas.listTienda>()('GET', '/api/tienda', { action: 'tienda:manage' });

export const emparejarTienda = endpoint<typeof schemas.emparejarTienda>()('POST', '/api/tienda/productos', { action: 'tienda:manage' });

export const reintentarTienda = endpoint<typeof schemas.reintentarTienda>()('POST', '/api/tienda/:id/reintentar', {
  action: 'tienda:manage',
});

export const descartarTienda = endpoint<typeof schemas.descartarTienda>()('POST', '/api/tienda/:id/descartar', {
  action: 'tienda:manage',
});
