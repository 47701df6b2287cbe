import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Actor, mayEver } from '../../../contract/policy/policy.ts';
import type { Tx } from '../../db/open.ts';
import { invalid } from '../../kit/errors.ts';

/** Notes of a customer and all joined records; `cliente_id` is the main record. */
export type CustomerNotes = { cliente_id: string | null; cliente_nota: string | null; avisar_antes: boolean };

/** Subquery of an order's customer notes; null without a customer. */
export const itsCustomer = sql<CustomerNotes | null>`(
  SELECT json_build_object(
    'cliente_id', c.principal,
    'cliente_nota', string_agg(g.nota, E'\n' ORDER BY g.unido_a IS NOT NULL, g.created_at, g.id),
    'avisar_antes', bool_or(g.avisar_antes))
  FROM clientes c JOIN clientes g ON g.principal = c.principal WHERE c.id = pedidos.cliente_id GROUP BY c.principal)`;

/** Subquery of the reason why an order's customer is blocked; null if not blocked. */
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

/** Serialises joins of a seller's customers. With `shared`, only excludes joins, for callers that lock many customers: row locks alone could deadlock. */
export async function lockJoining(tx: Tx, revendedor_id: string | null, shared = false): Promise<void> {
  const key = sql`hashtextextended(${`clientes ${revendedor_id ?? ''}`}, 0)`;
  await (shared ? sql`SELECT pg_advisory_xact_lock_shared(${key})` : sql`SELECT pg_advisory_xact_lock(${key})`).execute(tx);
}

/** Lock order of customers: joined records first, then main ones, each by id, so that concurrent changes cannot deadlock. */
export const inLockOrder = (tx: Tx) => tx.selectFrom('clientes').orderBy('es_principal').orderBy('id').forUpdate();

/** Locks the customers that match `which`. */
export async function lockInOrder(tx: Tx, which: RawBuilder<SqlBool>): Promise<void> {
  await inLockOrder(tx).select('id').where(which).execute();
}

/**
 * Locks the customers of orders that the caller has locked. Must run before a change of several orders: locking one customer at a time
 * could deadlock. Calls for the same seller wait for each other and for joins. Calls with `shared` do not wait for each other.
 */
export async function lockClientesOf(tx: Tx, pedidos: readonly string[], shared = false): Promise<void> {
  const ids = sql`ANY (${pedidos}::uuid[])`;
  const lock = sql.raw(shared ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock');
  await sql`
    SELECT ${lock}(hashtextextended('clientes ' || coalesce(v.revendedor_id::text, ''), 0))
    FROM (SELECT DISTINCT revendedor_id FROM pedidos WHERE id = ${ids} ORDER BY revendedor_id) v`.execute(tx);
  await lockInOrder(
    tx,
    sql<SqlBool>`id IN (SELECT unnest(ARRAY[c.id, c.principal]) FROM pedidos p JOIN clientes c ON c.id = p.cliente_id WHERE p.id = ${ids})`,
  );
}
