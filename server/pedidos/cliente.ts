import { sql } from 'kysely';
import { type Actor, mayEver } from '../../contract/policy.ts';
import type { Tx } from '../db/open.ts';
import { invalid } from '../kit/errors.ts';

/** Notes of a customer and all joined records; `cliente_id` is the main record. */
export type CustomerNotes = { cliente_id: string | null; cliente_nota: string | null; avisar_antes: boolean };

/** Subquery of an order's customer notes; null without a customer. */
export const itsCustomer = sql<CustomerNotes | null>`(
  SELECT json_build_object(
    'cliente_id', c.principal,
    'cliente_nota', string_agg(g.nota, E'\n' ORDER BY g.unido_a IS NOT NULL, g.created_at, g.id),
    'avisar_antes', bool_or(g.avisar_antes))
  FROM clientes c JOIN clientes g ON g.principal = c.principal WHERE c.id = pedidos.cliente_id GROUP BY c.principal)`;

/** Subquery in the statement that writes an order: why its customer is blocked; null if not. */
export const blockedBecause = sql<string | null>`(
  SELECT b.bloqueado_motivo FROM clientes c JOIN clientes b ON b.principal = c.principal
  WHERE c.id = pedidos.cliente_id AND b.bloqueado_motivo IS NOT NULL ORDER BY b.unido_a IS NOT NULL, b.created_at LIMIT 1)`;

type Written = { bloqueado: string | null; cliente_telefono: string | null };

/** Throws 422 for an order of a blocked customer, except for superadmins. */
export function refuseBlocked(actor: Actor, { bloqueado, cliente_telefono }: Written): void {
  if (bloqueado === null || mayEver(actor, 'cliente:block')) return;
  const message = `Cliente bloqueado: ${bloqueado}`;
  throw invalid(cliente_telefono ? 'cliente_telefono' : 'cliente_nombre', message, 'cliente_bloqueado');
}

/** Serialises joins within a seller, or with `shared` excludes them while many customers are locked: row locks alone could deadlock. */
export async function lockJoining(tx: Tx, revendedor_id: string | null, shared = false): Promise<void> {
  const key = sql`hashtextextended(${`clientes ${revendedor_id ?? ''}`}, 0)`;
  await (shared ? sql`SELECT pg_advisory_xact_lock_shared(${key})` : sql`SELECT pg_advisory_xact_lock(${key})`).execute(tx);
}
