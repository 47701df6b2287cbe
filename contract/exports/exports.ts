import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type ExportRequest = z.output<typeof schemas.exportBody>;

export type ExportRecord = z.infer<typeof schemas.exportRecord>;

export const listExports = endpoint<typeof schemas.listExports>()('GET', '/api/exports', 'data:export');

export const createExport = endpoint<typeof schemas.createExport>()('POST', '/api/exports', { action: 'data:export', stepUp: true });

export const cancelExport = endpoint<typeof schemas.cancelExport>()('POST', '/api/exports/:id/cancelar', 'data:export');

export const downloadExport = endpoint<typeof schemas.downloadExport>()('GET', '/api/exports/:id/archivo', {
  action: 'data:export',
  stepUp: true,
});
