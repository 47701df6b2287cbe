import { type EstadoPago, POR_DEVOLVER } from '../../contract/payments.ts';
import { SISTEMA } from '../../contract/policy.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { DomainError } from '../kit/errors.ts';
import { notify } from '../notifications/notify.ts';
import { record } from '../pedidos/history.ts';
import { recordPago, rejectPago } from '../pedidos/pagos.ts';
import { COLUMNS, type PedidoRow } from '../pedidos/row.ts';
import { applyTransition } from '../pedidos/transition.ts';
import type { Notice } from './provider.ts';

/** A notified payment; `pedido` is null when its order is unknown. */
type Settlement = Omit<Notice, 'evento_id' | 'paid' | 'pedido'> & { proveedor: string; pedido: string | null };
/** The outcome of a verified notification. The last three are refused and leave the order untouched. */
type Outcome = 'pagado' | 'repetido' | 'duplicado' | 'tardio' | 'rechazado' | 'desconocido' | 'importe' | 'moneda';

const REFUSED: Partial<Record<Outcome, string>> = {
  desconocido: 'El pago no es de ningún pedido conocido',
  importe: 'El importe pagado no es el del pedido',
  moneda: 'La moneda del pago no es el euro',
};
const CLOSED: readonly EstadoPago[] = ['pagado', 'devuelto', ...POR_DEVOLVER];

/**
 * Applies a verified payment to its order. The order is paid at most once; a late or duplicate payment is recorded
 * for refund, and one that does not match changes nothing.
 */
async function settlePayment(tx: Tx, { proveedor, externo_id, pedido, importe_cents, moneda }: Settlement): Promise<Outcome> {
  const row = pedido ? await tx.selectFrom('pedidos').select(COLUMNS).where('id', '=', pedido).forUpdate().executeTakeFirst() : undefined;
  if (!row) return 'desconocido';
  if (moneda !== 'EUR') return 'moneda';
  if (importe_cents !== row.precio_total_cents) return 'importe';
  const known = await tx
    .selectFrom('pagos')
    .select('estado')
    .where('proveedor', '=', proveedor)
    .where('externo_id', '=', externo_id)
    .executeTakeFirst();
  if (known && CLOSED.includes(known.estado)) return 'repetido';
  if (row.deleted_at || row.estado === 'cancelado') return owed(tx, row, 'tardio', { proveedor, externo_id });
  if (row.estado !== 'pendiente_pago') return owed(tx, row, 'duplicado', { proveedor, externo_id });
  await applyTransition(tx, SISTEMA, row, { name: 'pagar', referencia: externo_id }, { proveedor, externo_id });
  return 'pagado';
}

async function owed(
  tx: Tx,
  row: PedidoRow,
  estado: 'tardio' | 'duplicado',
  pago: Pick<Settlement, 'proveedor' | 'externo_id'>,
): Promise<Outcome> {
  await recordPago(tx, row, { ...pago, estado, referencia: pago.externo_id, importe_cents: row.precio_total_cents });
  const accion = estado === 'tardio' ? 'Pago tardío' : 'Pago duplicado';
  const why = estado === 'duplicado' ? 'ya estaba pagado' : row.deleted_at ? 'está eliminado' : 'está cancelado';
  await record(tx, SISTEMA, { accion, action: 'update', nota: pago.externo_id }, row, row);
  await notify(tx, {
    tipo: 'pago_tardio',
    texto: `${accion}: el pedido ${row.numero_orden} (${row.cliente_nombre}) ${why} y hay que devolver el dinero`,
    roles: ['superadmin'],
    enlace: `/pedidos/${row.id}`,
    mail: true,
  });
  return estado;
}

/** A refused payment may still be paid on a second try, never the other way round. */
async function refuse(tx: Tx, { proveedor, externo_id }: Settlement): Promise<Outcome> {
  await rejectPago(tx, { proveedor, externo_id });
  return 'rechazado';
}

/** The id of the order whose payment began under `externo_id`. */
async function begun(tx: Tx, proveedor: string, externo_id: string): Promise<string | null> {
  const pago = await tx
    .selectFrom('pagos')
    .select('pedido_id')
    .where('proveedor', '=', proveedor)
    .where('externo_id', '=', externo_id)
    .executeTakeFirst();
  return pago?.pedido_id ?? null;
}

/**
 * Processes a verified notification once: a repeated `evento_id` gets the first outcome again. Throws 422 for a
 * refused payment, after recording it.
 */
export async function receive(db: Db, proveedor: string, { evento_id, paid, ...said }: Notice): Promise<void> {
  const outcome = await transact(db, async (tx) => {
    const pedido = said.pedido ?? (await begun(tx, proveedor, said.externo_id));
    const payment = { ...said, proveedor, pedido };
    const { externo_id, importe_cents, moneda } = said;
    const fresh = await tx
      .insertInto('payment_events')
      .values({ proveedor, evento_id, externo_id, pedido_id: pedido, importe_cents, moneda, resultado: 'en_curso' })
      .onConflict((conflict) => conflict.doNothing())
      .returning('evento_id')
      .executeTakeFirst();
    if (!fresh) {
      const known = await tx
        .selectFrom('payment_events')
        .select('resultado')
        .where('proveedor', '=', proveedor)
        .where('evento_id', '=', evento_id)
        .executeTakeFirstOrThrow();
      return known.resultado as Outcome;
    }
    const result = await (paid ? settlePayment : refuse)(tx, payment);
    await tx
      .updateTable('payment_events')
      .set({ resultado: result })
      .where('proveedor', '=', proveedor)
      .where('evento_id', '=', evento_id)
      .execute();
    return result;
  });
  const refused = REFUSED[outcome];
  if (refused) throw new DomainError(422, refused);
}
