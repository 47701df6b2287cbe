import { type SqlBool, sql } from 'kysely';
import type { Tx } from '../db/open.ts';
import { lockInOrder } from '../pedidos/lectura/cliente.ts';
import { countAgain } from './manage.ts';

export type Card = Record<string, unknown>;

export async function readClienteCards(tx: Tx, pedidos: readonly string[]): Promise<Map<string, Card>> {
  const { rows } = await sql<{ pedido: string; card: Card }>`
    SELECT p.id AS pedido, to_jsonb(c) AS card FROM pedidos p JOIN clientes c ON c.id = p.cliente_id
    WHERE p.id = ANY (${pedidos}::uuid[])`.execute(tx);
  return new Map(rows.map(({ pedido, card }) => [pedido, card]));
}

/** Deletes customers without orders, with their notes; records joined to them become independent. Returns the number of deleted customers. */
export async function deleteOrderlessClientes(tx: Tx): Promise<number> {
  const orderless = () =>
    tx
      .selectFrom('clientes as c')
      .select('c.id')
      .where(({ not, exists, selectFrom }) => not(exists(selectFrom('pedidos as p').select('p.id').whereRef('p.cliente_id', '=', 'c.id'))));
  const found = await orderless().execute();
  if (found.length === 0) return 0;
  const all = sql<string>`ANY (${found.map(({ id }) => id)}::uuid[])`;
  await lockInOrder(tx, sql<SqlBool>`id = ${all} OR unido_a = ${all}`);
  // Checks again after locking: a new order may have arrived.
  const ids = (await orderless().where('c.id', '=', all).execute()).map(({ id }) => id);
  const gone = sql<string>`ANY (${ids}::uuid[])`;
  const alone = await tx.updateTable('clientes').set({ unido_a: null }).where('unido_a', '=', gone).returning('id').execute();
  await tx.deleteFrom('clientes').where('id', '=', gone).execute();
  await countAgain(
    tx,
    alone.map(({ id }) => id),
  );
  return ids.length;
}

/** Restores a deleted customer, before its orders, which find it by key. Keeps a customer created meanwhile with the same key. */
export async function restoreCliente(tx: Tx, card: Card): Promise<void> {
  await sql`
    INSERT INTO clientes (id, revendedor_id, clave, unido_a, nombre, telefono, codigo_postal, ciudad, busqueda, nota, avisar_antes,
      bloqueado_motivo, metadata, version, created_at, updated_at)
    SELECT id, revendedor_id, clave, (SELECT m.id FROM clientes m WHERE m.id = k.unido_a), nombre, telefono, codigo_postal, ciudad, busqueda,
      nota, avisar_antes, bloqueado_motivo, metadata, version, created_at, updated_at
    FROM jsonb_populate_record(NULL::clientes, ${JSON.stringify(card)}::jsonb) AS k
    ON CONFLICT DO NOTHING`.execute(tx);
}
