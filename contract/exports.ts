import type { z } from 'zod';
import type * as schemas from './exports.schemas.ts';
import { endpoint } from './kit.ts';

export const CONJUNTOS = ['pedidos', 'lineas', 'cobros', 'caja', 'revendedores', 'transportistas'] as const;

export type Conjunto = (typeof CONJUNTOS)[number];

export const FORMATOS = ['xlsx', 'csv'] as const;

/** Exports kept per person (specification, section 9). */
export const RECENT_EXPORTS = 5;

export type ExportRequest = z.output<typeof schemas.exportBody>;

export type ExportRecord = z.infer<typeof schemas.exportRecord>;

export const listExports = endpoint<typeof schemas.listExports>()('GET', '/api/exports', { action: 'data:export' });

export const createExport = endpoint<typeof schemas.createExport>()('POST', '/api/exports', { action: 'data:export', stepUp: true });

export const cancelExport = endpoint<typeof schemas.cancelExport>()('POST', '/api/exports/:id/cancelar', { action: 'data:export' });

export const downloadExport = endpoint<typeof schemas.downloadExport>()('GET', '/api/exports/:id/archivo', {
  action: 'data:export',
  stepUp: true,
});
