import type { AuditType } from '../../contract/audit.ts';
import { type Actor, rolesOf } from '../../contract/policy.ts';
import type { Tx } from '../db/open.ts';
import { emit } from '../live/emit.ts';

type Entry = {
  type: AuditType;
  action: 'create' | 'update' | 'delete' | 'restore' | 'login' | 'login_failed' | 'logout' | 'denied' | 'export';
  entity_type: 'pedido' | 'profile' | 'product' | 'pack' | 'session' | 'settings' | 'audit' | 'export' | 'backup';
  entity_id?: string | null;
  /** Spanish sentence; must not mention prices. */
  description: string;
  antes?: Record<string, unknown>;
  despues?: Record<string, unknown>;
};

/** Adds an entry to the audit log, in the transaction of the action itself. */
export async function audit(tx: Tx, actor: Actor, entry: Entry): Promise<void> {
  await tx
    .insertInto('audit_logs')
    .values({
      type: entry.type,
      action: entry.action,
      entity_type: entry.entity_type,
      entity_id: entry.entity_id ?? null,
      description: entry.description,
      actor_user_id: actor.id,
      actor_role: actor.role,
      actor_nombre: actor.full_name,
      ip: actor.ip ?? null,
      antes: entry.antes ? JSON.stringify(entry.antes) : null,
      despues: entry.despues ? JSON.stringify(entry.despues) : null,
    })
    .execute();
  await emit(tx, { topic: 'audit', roles: rolesOf('audit:read') });
}
