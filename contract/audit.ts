import type { z } from 'zod';
import type * as schemas from './audit.schemas.ts';
import { endpoint } from './kit.ts';

export const AUDIT_TYPES = ['pedido', 'revendedor', 'transportista', 'exportacion', 'configuracion'] as const;

export type AuditType = (typeof AUDIT_TYPES)[number];

export type AuditEntry = z.infer<typeof schemas.auditEntry>;

/** The dashboard's feed: the last 24 hours, newest first (specification, section 2.4). */
export const listAudit = endpoint<typeof schemas.listAudit>()('GET', '/api/audit-logs', { action: 'audit:read' });

export type LogEntry = z.infer<typeof schemas.logEntry>;

export const listLogs = endpoint<typeof schemas.listLogs>()('GET', '/api/logs', { action: 'audit:read' });

export const hideLog = endpoint<typeof schemas.hideLog>()('DELETE', '/api/logs/:id', { action: 'audit:hide' });
