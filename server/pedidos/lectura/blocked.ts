import { sql } from 'kysely';
import type { Actor } from '../../../contract/policy/policy.ts';
import { auditMany } from '../../audit/audit.ts';
import type { Tx } from '../../db/open.ts';
import { conflict } from '../../kit/errors.ts';
import { emit } from '../../live/emit.ts';

type Blocked = { anonimizado_at: string | null; bloqueado_at: string | null };

/** Throws 409 for an order with anonymised or blocked personal data. `verb` completes the message: «modificar», «duplicar». */
export function refuseBlockedData({ anonimizado_at, bloqueado_at }: Blocked, verb: string): void {
  if (anonimizado_at) throw conflict(`Los datos del cliente están anonimizados: este pedido ya no se puede ${verb}`, 'anonimizado');
  if (bloqueado_at)
    throw conflict(`Los datos del cliente están bloqueados: este pedido no se puede ${verb} mientras lo estén`, 'bloqueado');
}

export const BLOCK_STEPS = {
  bloquear: 'Datos bloqueados',
  desbloquear: 'Datos desbloqueados',
  anonimizar: 'Datos anonimizados',
} as const;

/** Marks locked orders as blocked, unblocked or anonymised, and records the step without personal data. Not an edit: leaves `updated_at` and calls no webhooks. */
export async function markBlockedData(
  tx: Tx,
  actor: Actor,
  what: keyof typeof BLOCK_STEPS,
  ids: readonly string[],
  motivo: string,
): Promise<void> {
  const set = {
    bloquear: { bloqueado_at: sql<string>`now()` },
    desbloquear: { bloqueado_at: null },
    anonimizar: { bloqueado_at: null, anonimizado_at: sql<string>`now()` },
  }[what];
  const rows = await tx
    .updateTable('pedidos')
    .set({ ...set, version: sql`version + 1` })
    .where('id', 'in', ids)
    .returning(['id', 'numero_orden'])
    .execute();
  const accion = BLOCK_STEPS[what];
  const who = { actor_user_id: actor.id, actor_role: actor.role, actor_nombre: actor.full_name };
  await tx
    .insertInto('pedidos_historial')
    .values(rows.map(({ id }) => ({ pedido_id: id, ...who, accion })))
    .execute();
  const entry = { type: 'pedido', action: 'update', entity_type: 'pedido', despues: { motivo } } as const;
  await auditMany(
    tx,
    actor,
    rows.map(({ id, numero_orden }) => ({ ...entry, entity_id: id, description: `${accion}: ${numero_orden}` })),
  );
  emit(tx, { topic: 'pedidos', roles: ['superadmin', 'revendedor', 'transportista'] });
}
