import { type SqlBool, sql } from 'kysely';
import { type Actor, mayEver } from '../../contract/policy.ts';
import type { Db, Tx } from '../db/open.ts';
import { DomainError } from '../kit/errors.ts';

/* What is said about the customer of an order, by those who keep the customers. */

/** The customer of an order: the one to whom others are joined, what is said of all of them. */
export type Said = { cliente_id: string | null; cliente_nota: string | null; avisar_antes: SqlBool };

/** What is said about the customers of these orders, in one query; nothing of an order without one. */
export async function saidOf(db: Db | Tx, ids: readonly string[]): Promise<Map<string, Said>> {
  const { rows } = await sql<Said & { id: string }>`
    SELECT p.id, c.principal AS cliente_id, f.cliente_nota, f.avisar_antes
    FROM pedidos p JOIN clientes c ON c.id = p.cliente_id
    CROSS JOIN LATERAL (
      SELECT string_agg(g.nota, E'\n' ORDER BY g.unido_a IS NOT NULL, g.created_at, g.id) AS cliente_nota, bool_or(g.avisar_antes) AS avisar_antes
      FROM clientes g WHERE g.principal = c.principal) f
    WHERE p.id = ANY (${ids}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, ...said }) => [id, said]));
}

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
