import type { Db, Tx } from '../db/open.ts';
import { conflict, notFound } from '../kit/errors.ts';
import { COLUMNS } from '../pedidos/lectura/row.ts';
import { isPayable } from '../pedidos/pagos/pagos.ts';

const UNKNOWN = 'Este enlace de pago no existe o ya no está disponible';

/** Returns the order of a payment page. Throws 404 for an unknown token or a deleted order. */
export async function findByToken(db: Db | Tx, token: string) {
  const row = await db
    .selectFrom('pedidos')
    .select(COLUMNS)
    .where('pago_token', '=', token)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw notFound(UNKNOWN);
  return row;
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
