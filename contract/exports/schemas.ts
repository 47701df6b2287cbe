import { z } from 'zod';
import { doneWith, id, idsQuery, isoInstant, operation } from '../kit/schemas.ts';
import { pedidosFiltro } from '../pedidos/filters.schemas.ts';
import { CONJUNTOS, FORMATOS } from './fields.ts';

export const exportBody = z.strictObject({
  conjuntos: z
    .array(z.enum(CONJUNTOS, 'Conjunto de datos no válido'))
    .min(1, 'Selecciona al menos una opción para exportar.')
    .max(CONJUNTOS.length),
  formato: z.enum(FORMATOS, 'Elige un formato'),
  filtro: pedidosFiltro.optional(),
});

export const exportRecord = z.object({
  id,
  name: z.string(),
  formato: z.enum(FORMATOS),
  estado: z.enum(['en_curso', 'listo', 'error', 'cancelado']),
  hechas: z.number(),
  total: z.number(),
  size: z.number().nullable(),
  error: z.string().nullable(),
  created_at: isoInstant,
});

export const listExports = operation('The caller’s last five exports', {
  query: z.strictObject(idsQuery),
  200: z.object({ data: z.array(exportRecord) }),
});

export const createExport = operation('Begin an export of everything that matches; it is made in the background', {
  body: exportBody,
  201: doneWith(exportRecord),
});

export const cancelExport = operation('Stop an export of the caller’s that is being made', { 200: doneWith(exportRecord) });

export const downloadExport = operation('The file of one of the caller’s exports', { file: 'application/octet-stream' });
