import { z } from 'zod';
import { contar, countParam, day, doneMessage, id, idsQuery, isoInstant, listQuery, operation, paged } from '../kit/schemas.ts';
import { searchText } from '../pedidos/filters.schemas.ts';
import { AUDIT_TYPES } from './fields.ts';

export const auditEntry = z.object({
  id,
  type: z.enum(AUDIT_TYPES),
  action: z.string(),
  description: z.string(),
  created_at: isoInstant,
  user: z.string(),
  meta: z.record(z.string(), z.unknown()),
});

export const listAudit = operation('Recent activity', {
  query: z.strictObject({ limit: countParam(100, 'Límite no válido').default(7), ...idsQuery }),
  200: z.object({ data: z.array(auditEntry) }),
});

export const logEntry = z.object({
  id,
  created_at: isoInstant,
  action: z.string(),
  entity_type: z.string(),
  entity_id: z.string().nullable(),
  description: z.string(),
  actor_user_id: z.string().nullable(),
  actor_role: z.string(),
  actor_nombre: z.string(),
  ip: z.string().nullable(),
  antes: z.record(z.string(), z.unknown()).nullable(),
  despues: z.record(z.string(), z.unknown()).nullable(),
});

const word = z.string().regex(/^[a-z_]{1,30}$/, 'Filtro no válido');

export const listLogs = operation('The audit log by pages', {
  query: z.strictObject({
    ...listQuery,
    contar,
    action: word.optional(),
    entity_type: word.optional(),
    search: searchText.optional(),
    actor: z.union([id, z.literal('sistema')], 'Filtro no válido').optional(),
    desde: day.optional().describe("Days in the business's time zone, both included"),
    hasta: day.optional(),
  }),
  200: paged(logEntry),
});

export const hideLog = operation('Hide a row of the log; that is itself logged', { 200: doneMessage });
