import { z } from 'zod';
import { endpoint, id, instant } from './kit.ts';

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
export const listAudit = endpoint({
  method: 'GET',
  path: '/api/audit-logs',
  allow: ['superadmin'],
  summary: 'Recent activity',
  query: z.strictObject({ limit: z.coerce.number('Límite no válido').int('Límite no válido').min(1, 'Límite no válido').max(100, 'Límite no válido').default(7) }),
  response: { 200: z.object({ data: z.array(auditEntry) }) },
});
