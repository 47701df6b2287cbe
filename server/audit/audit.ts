import type { AuditType } from '../../contract/audit/fields.ts';
import { type Actor, rolesOf } from '../../contract/policy/policy.ts';
import type { Tx } from '../db/open.ts';
import { emit } from '../live/emit.ts';

type Entry = {
  /** `configuracion` unless an order, a person or an export is concerned. */
  type?: AuditType;
  action: 'create' | 'update' | 'delete' | 'restore' | 'login' | 'login_failed' | 'logout' | 'denied' | 'export';
  entity_type:
    | 'pedido'
    | 'profile'
    | 'product'
    | 'pack'
    | 'session'
    | 'settings'
    | 'audit'
    | 'export'
    | 'backup'
    | 'pago'
    | 'apikey'
    | 'envio'
    | 'webhook'
    | 'vista'
    | 'liquidacion'
    | 'cliente'
    | 'privacidad'
    | 'mensaje'
    | 'facturables'
    | 'tienda'
    | 'caja';
  entity_id?: string | null;
  /** Spanish sentence; must not mention prices. */
  description: string;
  antes?: Record<string, unknown>;
  despues?: Record<string, unknown>;
};

/** Adds an entry to the audit log, in the transaction of the audited action. */
export async function audit(tx: Tx, actor: Actor, entry: Entry): Promise<void> {
  await tx.insertInto('audit_logs').values(rowOf(actor, entry)).execute();
  emit(tx, CHANGED);
}

export async function auditMany(tx: Tx, actor: Actor, entries: readonly Entry[]): Promise<void> {
  await tx
    .insertInto('audit_logs')
    .values(entries.map((entry) => rowOf(actor, entry)))
    .execute();
  emit(tx, CHANGED);
}

/** Adds entries in the same round trip as the chained statement: `audited(tx, actor, entries).insertInto(…)`. */
export function withAuditEntries(tx: Tx, actor: Actor, entries: readonly Entry[]) {
  emit(tx, CHANGED);
  return tx.with('audited', (db) => db.insertInto('audit_logs').values(entries.map((entry) => rowOf(actor, entry))));
}

const CHANGED = { topic: 'audit', roles: rolesOf('audit:read') } as const;

const rowOf = (actor: Actor, { antes, despues, ...entry }: Entry) => ({
  type: 'configuracion' as const,
  ...entry,
  actor_user_id: actor.id,
  actor_role: actor.role,
  actor_nombre: actor.full_name,
  ip: actor.ip,
  antes: antes && JSON.stringify(antes),
  despues: despues && JSON.stringify(despues),
});

type Values = Record<string, unknown>;

/** Diffs two rows for the audit log; fields undefined in `after` count as unchanged. */
export function changedValues(before: Values, after: Values): { antes: Values; despues: Values } {
  const changed = Object.keys(after).filter((field) => after[field] !== undefined && after[field] !== before[field]);
  const pick = (values: Values) => Object.fromEntries(changed.map((field) => [field, values[field] ?? null]));
  return { antes: pick(before), despues: pick(after) };
}
