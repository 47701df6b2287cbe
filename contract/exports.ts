import { z } from 'zod';
import { doneWith, endpoint, id, instant } from './kit.ts';
import { pedidoFilters } from './pedidos.filters.ts';

export const CONJUNTOS = ['pedidos', 'lineas', 'revendedores', 'transportistas'] as const;
export type Conjunto = (typeof CONJUNTOS)[number];
export const FORMATOS = ['xlsx', 'csv'] as const;
/** Exports kept per person (specification, section 9). */
export const RECENT_EXPORTS = 5;

export const exportBody = z.strictObject({
  conjuntos: z
    .array(z.enum(CONJUNTOS, 'Conjunto de datos no válido'))
    .min(1, 'Selecciona al menos una opción para exportar.')
    .max(CONJUNTOS.length),
  formato: z.enum(FORMATOS, 'Elige un formato'),
  /** Same filters as the orders table. */
  filtro: z.strictObject(pedidoFilters).optional(),
});
export type ExportRequest = z.output<typeof exportBody>;

export const exportRecord = z.object({
  id,
  name: z.string(),
  formato: z.enum(FORMATOS),
  estado: z.enum(['en_curso', 'listo', 'error', 'cancelado']),
  /** Rows written so far, and the total. */
  hechas: z.number(),
  total: z.number(),
  /** Size in bytes, once ready. */
  size: z.number().nullable(),
  /** Why it failed: a Spanish sentence. */
  error: z.string().nullable(),
  created_at: instant,
});
export type ExportRecord = z.infer<typeof exportRecord>;

export const listExports = endpoint('GET', '/api/exports', {
  action: 'data:export',
  summary: 'The caller’s last five exports',
  response: { 200: z.object({ data: z.array(exportRecord) }) },
});
export const createExport = endpoint('POST', '/api/exports', {
  action: 'data:export',
  stepUp: true,
  summary: 'Begin an export of everything that matches; it is made in the background',
  body: exportBody,
  response: { 201: doneWith(exportRecord) },
});
export const cancelExport = endpoint('POST', '/api/exports/:id/cancelar', {
  action: 'data:export',
  summary: 'Stop an export of the caller’s that is being made',
  response: { 200: doneWith(exportRecord) },
});
export const downloadExport = endpoint('GET', '/api/exports/:id/archivo', {
  action: 'data:export',
  stepUp: true,
  summary: 'The file of one of the caller’s exports',
  response: { file: 'application/octet-stream' },
});
