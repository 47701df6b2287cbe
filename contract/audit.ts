import { z } from 'zod';
import { contar, countParam, day, done, endpoint, id, instant, paged, pageQuery } from './kit.ts';
import { searchText } from './pedidos.filters.ts';

export const AUDIT_TYPES = ['pedido', 'revendedor', 'transportista', 'exportacion', 'configuracion'] as const;
export type AuditType = (typeof AUDIT_TYPES)[number];

export const auditEntry = z.object({
  id,
  type: z.enum(AUDIT_TYPES),
  action: z.string(),
  description: z.string(),
  created_at: instant,
  user: z.string(),
  meta: z.record(z.string(), z.unknown()),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** The dashboard's feed: the last 24 hours, newest first (specification, section 2.4). */
export const listAudit = endpoint('GET', '/api/audit-logs', {
  action: 'audit:read',
  summary: 'Recent activity',
  query: z.strictObject({ limit: countParam(100, 'Límite no válido').default(7) }),
  response: { 200: z.object({ data: z.array(auditEntry) }) },
});

export const logEntry = z.object({
  id,
  created_at: instant,
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
export type LogEntry = z.infer<typeof logEntry>;

const word = z.string().regex(/^[a-z_]{1,30}$/, 'Filtro no válido');

/** The whole audit log except hidden rows (specification, section 2.21). */
export const listLogs = endpoint('GET', '/api/logs', {
  action: 'audit:read',
  summary: 'The audit log by pages',
  query: z.strictObject({
    ...pageQuery,
    contar,
    action: word.optional(),
    entity_type: word.optional(),
    search: searchText.optional(),
    /** Who did it; `sistema` is the program itself. */
    actor: z.union([id, z.literal('sistema')], 'Filtro no válido').optional(),
    /** Days of the business's time zone, both included. */
    desde: day.optional(),
    hasta: day.optional(),
  }),
  response: { 200: paged(logEntry) },
});

export const hideLog = endpoint('DELETE', '/api/logs/:id', {
  action: 'audit:hide',
  summary: 'Hide a row of the log; that is itself logged',
  response: { 200: done },
});
