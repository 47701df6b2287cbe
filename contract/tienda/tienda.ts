import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import { MAX_TIENDA_BYTES } from './fields.ts';
import type * as schemas from './schemas.ts';

export type PedidoTienda = z.infer<typeof schemas.pedidoTienda>;
export type LineaTienda = z.infer<typeof schemas.lineaTienda>;
export type CambioTienda = z.infer<typeof schemas.cambioTienda>;
export type Fuente = z.infer<typeof schemas.fuente>;

const MANAGE = { action: 'tienda:manage' } as const;

export const receiveTienda = endpoint<typeof schemas.receiveTienda>()('POST', '/api/tienda/pedidos', {
  action: 'signed',
  bodyLimit: MAX_TIENDA_BYTES,
});

export const receivePuerta = endpoint<typeof schemas.receivePuerta>()('POST', '/api/tienda/:id', {
  action: 'signed',
  bodyLimit: MAX_TIENDA_BYTES,
});

export const listTienda = endpoint<typeof schemas.listTienda>()('GET', '/api/tienda', MANAGE);

export const listParejas = endpoint<typeof schemas.listParejas>()('GET', '/api/productos-tienda', MANAGE);
export const emparejarTienda = endpoint<typeof schemas.emparejarTienda>()('POST', '/api/tienda/productos', MANAGE);
export const deletePareja = endpoint<typeof schemas.deletePareja>()('DELETE', '/api/productos-tienda/:id', MANAGE);

export const listFormas = endpoint<typeof schemas.listFormas>()('GET', '/api/formas-tienda', MANAGE);
export const setForma = endpoint<typeof schemas.setForma>()('POST', '/api/formas-tienda', MANAGE);
export const deleteForma = endpoint<typeof schemas.deleteForma>()('DELETE', '/api/formas-tienda/:id', MANAGE);

export const listIlegibles = endpoint<typeof schemas.listIlegibles>()('GET', '/api/mensajes-tienda', MANAGE);
export const verIlegible = endpoint<typeof schemas.verIlegible>()('POST', '/api/mensajes-tienda/:id/visto', MANAGE);

export const listFuentes = endpoint<typeof schemas.listFuentes>()('GET', '/api/tiendas', MANAGE);
export const createFuente = endpoint<typeof schemas.createFuente>()('POST', '/api/tiendas', { ...MANAGE, stepUp: true });
export const updateFuente = endpoint<typeof schemas.updateFuente>()('PUT', '/api/tiendas/:id', {
  ...MANAGE,
  // Needs proof: a new address or key sends data elsewhere.
  stepUp: ({ secreto, url, clave_api, clave_secreta }: z.output<typeof schemas.updateFuente.body>) =>
    [secreto, url, clave_api, clave_secreta].some((value) => value !== undefined),
});
export const encenderWebhooks = endpoint<typeof schemas.encenderWebhooks>()('POST', '/api/tiendas/:id/webhooks', MANAGE);
export const traerProductos = endpoint<typeof schemas.traerProductos>()('POST', '/api/tiendas/:id/productos', MANAGE);

export const corregirTienda = endpoint<typeof schemas.corregirTienda>()('POST', '/api/tienda/:id/corregir', MANAGE);
export const aplicarTienda = endpoint<typeof schemas.aplicarTienda>()('POST', '/api/tienda/:id/aplicar', MANAGE);
export const reintentarTienda = endpoint<typeof schemas.reintentarTienda>()('POST', '/api/tienda/:id/reintentar', MANAGE);
export const descartarTienda = endpoint<typeof schemas.descartarTienda>()('POST', '/api/tienda/:id/descartar', MANAGE);
