import type { z } from 'zod';
import { endpoint } from './kit.ts';
import type * as schemas from './pedidos.import.schemas.ts';

export const MAX_FILAS = 2000;

/** Days within which the same telephone and pack count as a repeat. */
export const DUPLICATE_DAYS = 3;

const MAX_BYTES = 4_000_000;

export type Fila = z.input<typeof schemas.fila>;

export type ImportPedidos = z.output<typeof schemas.importBody>;

export const checkImport = endpoint<typeof schemas.checkImport>()('POST', '/api/pedidos/importar/comprobar', {
  action: 'pedido:create',
  also: 'pedido:prices',
  bodyLimit: MAX_BYTES,
});

export const importPedidos = endpoint<typeof schemas.importPedidos>()('POST', '/api/pedidos/importar', {
  action: 'pedido:create',
  also: 'pedido:prices',
  bodyLimit: MAX_BYTES,
});
