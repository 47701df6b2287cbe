import type { Db, Tx } from '../db/open.ts';
import { conflict, notFound } from '../kit/errors.ts';
import { COLUMNS } from '../pedidos/lectura/row.ts';
import { isPayable, listRefunds } from '../pedidos/pagos/pagos.ts';

const UNKNOWN = 'Este enlace de pago no existe o ya no está disponible';

// PostgreSQL refuses a zero byte, which a guessed address can hold.
const ofToken = async (db: Db | Tx, token: string) =>
  /^[\w-]{1,100}$/.test(token) ? db.selectFrom('pedidos').select(COLUMNS).where('pago_token', '=', token).executeTakeFirst() : undefined;

/** Returns the order of a payment page. Throws 404 for an unknown token or a deleted order. */
export async function findByToken(db: Db | Tx, token: string) {
  const row = await ofToken(db, token);
  if (!row || row.deleted_at) throw notFound(UNKNOWN);
  return row;
}

/**
 * Returns the order of a payment page with its refunds, due and made. A deleted order with refunds is shown as a cancelled one: the customer has
 * to see what is owed back. Throws 404 for an unknown token or a deleted order without refunds.
 */
export async function findWithRefunds(db: Db, token: string) {
  const row = await ofToken(db, token);
  const devoluciones = row ? await listRefunds(db, row) : [];
  if (!row || (row.deleted_at && devoluciones.length === 0)) throw notFound(UNKNOWN);
  return { row: row.deleted_at ? { ...row, estado: 'cancelado' as const, pendiente_cents: 0 } : row, devoluciones };
}

/** Like `findByToken`; throws 409 unless the order can be paid. */
export async function findUnpaid(db: Db | Tx, token: string) {
  const row = await findByToken(db, token);
  if (!isPayable(row)) throw conflict('Este pedido ya no está pendiente de pago', 'estado');
  return row;
}

export type Unpaid = Awaited<ReturnType<typeof findUnpaid>>;

export async function lockUnpaid(tx: Tx, token: string) {
  await lockByToken(tx, token);
  return findUnpaid(tx, token);
}

/** Like `findByToken`, but locks the order until the end of the transaction. */
export async function lockByToken(tx: Tx, token: string) {
  const { id } = await findByToken(tx, token);
  await tx.selectFrom('pedidos').select('id').where('id', '=', id).forUpdate().execute();
  return findByToken(tx, token);
}
