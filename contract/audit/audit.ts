import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type AuditEntry = z.infer<typeof schemas.auditEntry>;

/** The dashboard's feed: the last 24 hours, newest first (specification, section 2.4). */
export const listAudit = endpoint<typeof schemas.listAudit>()('GET', '/api/audit-logs', 'audit:read');

export type LogEntry = z.infer<typeof schemas.logEntry>;

export const listLogs = endpoint<typeof schemas.listLogs>()('GET', '/api/logs', 'audit:read');

export const hideLog = endpoint<typeof schemas.hideLog>()('DELETE', '/api/logs/:id', 'audit:hide');
