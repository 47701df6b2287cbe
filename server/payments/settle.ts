import { type EstadoPago, isBack, POR_DEVOLVER, POR_REVISAR } from '../../contract/payments/fields.ts';
import { rolesOf, SISTEMA } from '../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { emit } from '../live/emit.ts';
import { notify } from '../notifications/notify.ts';
import { takePayment } from '../pedidos/escritura/cobrar.ts';
import { recordChange } from '../pedidos/historia/history.ts';
import { COLUMNS, type PedidoRow } from '../pedidos/lectura/row.ts';
import { nameIntent } from '../pedidos/pagos/overpaid.ts';
import { isPayable, type Payment, recordPago, rejectPago } from '../pedidos/pagos/pagos.ts';
import type { PaymentNotice } from './provider.ts';
import { providerLabel } from './providers.ts';

type Settlement = Omit<PaymentNotice, 'evento_id' | 'paid' | 'pedido'> & { proveedor: string; pedido: string | null };
/** Result of a notification. Outcomes in `POR_REVISAR` leave the order untouched. */
type Outcome = 'pagado' | 'repetido' | 'duplicado' | 'tardio' | 'rechazado' | (typeof POR_REVISAR)[number];

const CAUSE: Partial<Record<Outcome, string>> = {
  desconocido: 'no es de ningún pedido conocido',
  importe: 'no es del importe que se debe',
  moneda: 'no es en euros',
};
const CLOSED: readonly EstadoPago[] = ['pagado', 'devuelto', ...POR_DEVOLVER];

/** Applies a verified payment; pays an order at most once. Late and duplicate payments await a refund, mismatches await a superadmin's review. */
async function settlePayment(tx: Tx, { proveedor, externo_id, pedido, importe_cents, moneda }: Settlement): Promise<Outcome> {
  const row = pedido ? await tx.selectFrom('pedidos').select(COLUMNS).where('id', '=', pedido).forUpdate().executeTakeFirst() : undefined;
  if (!row) return 'desconocido';
  const known = await tx
    .selectFrom('pagos')
    .select('estado')
    .where('proveedor', '=', proveedor)
    .where('externo_id', '=', externo_id)
    .executeTakeFirst();
  if (known && CLOSED.includes(known.estado)) return 'repetido';
  if (moneda !== 'EUR') return 'moneda';
  if (importe_cents === null || ![row.pendiente_cents, row.precio_total_cents].includes(importe_cents)) return 'importe';
  const pago = { proveedor, externo_id, referencia: externo_id, importe_cents };
  if (row.deleted_at || row.estado === 'cancelado') return owed(tx, row, 'tardio', pago);
  if (!isPayable(row)) return owed(tx, row, 'duplicado', pago);
  if (importe_cents !== row.pendiente_cents) return 'importe';
  await takePayment(tx, SISTEMA, row, pago, providerLabel(proveedor));
  return 'pagado';
}

async function isReviewed(tx: Tx, proveedor: string, externo_id: string): Promise<boolean> {
  const event = await tx
    .selectFrom('payment_events')
    .select('evento_id')
    .where('proveedor', '=', proveedor)
    .where('externo_id', '=', externo_id)
    .where(
      'resultado',
      'in',
      POR_REVISAR.filter((cause) => !isBack(cause)),
    )
    .executeTakeFirst();
  return event !== undefined;
}

async function owed(tx: Tx, row: PedidoRow, estado: 'tardio' | 'duplicado', pago: Payment): Promise<Outcome> {
  await recordPago(tx, row, { ...pago, estado });
  const accion = estado === 'tardio' ? 'Pago tardío' : 'Pago duplicado';
  const why = estado === 'duplicado' ? 'ya estaba pagado' : row.deleted_at ? 'está eliminado' : 'está cancelado';
  await recordChange(tx, SISTEMA, { accion, action: 'update', nota: pago.referencia }, row, row);
  await notify(tx, {
    tipo: 'pago_tardio',
    texto: `${accion}: el pedido ${row.numero_orden} (${row.cliente_nombre}) ${why} y hay que reembolsar el dinero`,
    roles: ['superadmin'],
    enlace: `/pedidos/${row.id}`,
    pedido_id: row.id,
    mail: true,
  });
  return estado;
}

/** Rejects a begun payment. A payment already booked stays paid, because a refusal can arrive late. */
async function refuse(tx: Tx, { proveedor, externo_id }: Settlement): Promise<Outcome> {
  await rejectPago(tx, { proveedor, externo_id });
  return 'rechazado';
}

async function begun(tx: Tx, proveedor: string, externo_id: string): Promise<string | null> {
  const pago = await tx
    .selectFrom('pagos')
    .select('pedido_id')
    .where('proveedor', '=', proveedor)
    .where('externo_id', '=', externo_id)
    .executeTakeFirst();
  return pago?.pedido_id ?? null;
}

/** Notifies superadmins in the app and by mail of a payment to review. */
export async function notifyReview(tx: Tx, texto: string): Promise<void> {
  emit(tx, { topic: 'pedidos', roles: rolesOf('pago:manage') });
  await notify(tx, { tipo: 'pago_por_revisar', texto, roles: [...rolesOf('pago:manage')], enlace: '/pagos-por-revisar', mail: true });
}

/** Processes a notification once, by `evento_id`. Never refuses a mismatch: providers would retry for days, and Stripe would disable the endpoint. */
export async function receiveNotice(db: Db, proveedor: string, { evento_id, paid, ...rest }: PaymentNotice): Promise<void> {
  await transact(db, async (tx) => {
    const pedido = rest.pedido ?? (await begun(tx, proveedor, rest.externo_id));
    const payment = { ...rest, proveedor, pedido };
    const { externo_id, importe_cents, moneda } = rest;
    const fresh = await tx
      .insertInto('payment_events')
      .values({ proveedor, evento_id, externo_id, pedido_id: pedido, importe_cents, moneda, resultado: 'en_curso' })
      .onConflict((conflict) => conflict.doNothing())
      .returning('evento_id')
      .executeTakeFirst();
    if (!fresh) return;
    const outcome = await (paid ? settlePayment : refuse)(tx, payment);
    const cause = CAUSE[outcome];
    const known = cause !== undefined && (await isReviewed(tx, proveedor, externo_id));
    const result = known ? 'repetido' : outcome;
    await tx
      .updateTable('payment_events')
      .set({ resultado: result })
      .where('proveedor', '=', proveedor)
      .where('evento_id', '=', evento_id)
      .execute();
    if (rest.intento) await nameIntent(tx, { proveedor, externo_id, intento: rest.intento });
    if (cause && !known) await notifyReview(tx, `Pago por revisar: un pago recibido por ${providerLabel(proveedor)} ${cause}`);
  });
}
