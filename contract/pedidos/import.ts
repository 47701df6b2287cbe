import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './import.schemas.ts';

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

export const listImports = endpoint<typeof schemas.listImports>()('GET', '/api/pedidos/importaciones', { action: 'pedido:undo-imports' });

export const deshacerImport = endpoint<typeof schemas.deshacerImport>()('POST', '/api/pedidos/importaciones/:id/deshacer', {
  action: 'pedido:undo-imports',
});
