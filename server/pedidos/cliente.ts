import { sql } from 'kysely';
import { type Actor, mayEver } from '../../contract/policy.ts';
import type { Tx } from '../db/open.ts';
import { DomainError } from '../kit/errors.ts';

/* What is said about the customer of an order, by those who keep the customers. */

/** The customer of an order: the one to whom others are joined, what is said of all of them. */
export type Said = { cliente_id: string | null; cliente_nota: string | null; avisar_antes: boolean };

/** What is said about the customer of an order, read with it; null for one without a customer. */
export const itsCustomer = sql<Said | null>`(
  SELECT json_build_object(
    'cliente_id', c.principal,
    'cliente_nota', string_agg(g.nota, E'\n' ORDER BY g.unido_a IS NOT NULL, g.created_at, g.id),
    'avisar_antes', bool_or(g.avisar_antes))
  FROM clientes c JOIN clientes g ON g.principal = c.principal WHERE c.id = pedidos.cliente_id GROUP BY c.principal)`;

/** Why the customer of the order being written is blocked, as SQL of the statement that writes it: null where not. */
export const blockedBecause = sql<string | null>`(
  SELECT b.bloqueado_motivo FROM clientes c JOIN clientes b ON b.principal = c.principal
  WHERE c.id = pedidos.cliente_id AND b.bloqueado_motivo IS NOT NULL ORDER BY b.unido_a IS NOT NULL, b.created_at LIMIT 1)`;

type Written = { bloqueado: string | null; cliente_telefono: string | null };

/** Throws 422 for an order of a blocked customer, which only superadmins may take. */
export function refuseBlocked(actor: Actor, { bloqueado, cliente_telefono }: Written): void {
  if (bloqueado === null || mayEver(actor, 'cliente:block')) return;
  const message = `Cliente bloqueado: ${bloqueado}`;
  throw new DomainError(422, message, { errors: { [cliente_telefono ? 'cliente_telefono' : 'cliente_nombre']: [message] } });
}

/**
 * Lets one at a time say which customers of a seller are joined, and nobody while somebody holds it `shared`, to lock many.
 * The locks of their rows alone would deadlock: the order in which they are taken depends on who is joined, and so on what
 * another transaction is changing.
 */
export async function lockJoining(tx: Tx, revendedor_id: string | null, shared = false): Promise<void> {
  const key = sql`hashtextextended(${`clientes ${revendedor_id ?? ''}`}, 0)`;
  await (shared ? sql`SELECT pg_advisory_xact_lock_shared(${key})` : sql`SELECT pg_advisory_xact_lock(${key})`).execute(tx);
}
