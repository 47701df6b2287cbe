import { sql } from 'kysely';
import { type Pago, POR_DEVOLVER } from '../../contract/payments.ts';
import type { Actor } from '../../contract/policy.ts';
import { type Db, transact } from '../db/open.ts';
import { conflict, notFound } from '../kit/errors.ts';
import { toEuros } from '../kit/money.ts';
import { record } from '../pedidos/history.ts';
import { findPedido, lockPedido } from '../pedidos/row.ts';
import { PROVIDERS } from './providers.ts';

const MANUAL = [
  { id: 'manual', label: 'Confirmado a mano' },
  { id: 'simulador', label: 'Simulador' },
];
/** Who took a payment, for people; a provider that is no longer listed keeps its id. */
const LABELS = new Map([...MANUAL, ...PROVIDERS].map(({ id, label }) => [id, label]));

/** The payments of an order, newest first; those only begun are left out. Throws 404. */
export async function listPagos(db: Db, actor: Actor, pedido: string): Promise<Pago[]> {
  const { id } = await findPedido(db, actor, pedido);
  const rows = await db
    .selectFrom('pagos')
    .select(['id', 'proveedor', 'referencia', 'estado', 'importe_cents', 'created_at', 'updated_at', 'nota'])
    .where('pedido_id', '=', id)
    .where('estado', '!=', 'iniciado')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(100)
    .execute();
  return rows.map(({ importe_cents, ...row }) => ({
    ...row,
    proveedor_nombre: LABELS.get(row.proveedor) ?? row.proveedor,
    importe: toEuros(importe_cents),
  }));
}

/** Notes that a payment has been given back. Throws 404, and 409 when it is not one to be given back. */
export async function devolverPago(db: Db, actor: Actor, id: string, nota: string | null): Promise<void> {
  await transact(db, async (tx) => {
    const known = await tx.selectFrom('pagos').select('pedido_id').where('id', '=', id).executeTakeFirst();
    if (!known) throw notFound();
    const pedido = await lockPedido(tx, actor, known.pedido_id);
    const done = await tx
      .updateTable('pagos')
      .set({ estado: 'devuelto', nota, updated_at: sql`now()` })
      .where('id', '=', id)
      .where('estado', 'in', POR_DEVOLVER)
      .returning('id')
      .executeTakeFirst();
    if (!done) throw conflict('Este pago no está pendiente de devolver');
    await record(tx, actor, { accion: 'Pago devuelto', action: 'update', nota }, pedido, pedido);
  });
}
