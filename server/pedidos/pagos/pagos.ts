import { type RawBuilder, sql } from 'kysely';
import type { PagoPublico } from '../../../contract/pagar/pagar.ts';
import { type EstadoPago, isByHand, POR_DEVOLVER } from '../../../contract/payments/fields.ts';
import type { Pago } from '../../../contract/payments/payments.ts';
import type { Actor } from '../../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../../db/open.ts';
import { UNPREPARED } from '../../db/pool.ts';
import { conflict, notFound } from '../../kit/errors.ts';
import { inEuros, toEuros } from '../../kit/money.ts';
import { recordChange } from '../historia/history.ts';
import { findPedido, lockPedido, type PedidoRow } from '../lectura/row.ts';
import { refuseHandedOver } from './cash.ts';
import { notifyOfAnnulled, notifyOfRefund, queuePagos } from './pago-events.ts';

export type Origin = { proveedor: string; externo_id?: string };
/** Received money in cents; `fecha` is yyyy-MM-dd, default today. */
export type Payment = Origin & {
  referencia: string;
  importe_cents: number;
  fecha?: string;
  /** Return whose refund became this payment. */
  devolucion_id?: string;
  /** Order of a web shop that was paid there. */
  tienda_pedido_id?: string;
  /** Movement of the bank that brought it, and by which it is booked. */
  movimiento_id?: string;
};
/** Carrier who collected the payment, with business day and round of the carrier's cash desk; or the delivery company. */
type Collected = { transportista_id?: string | null; caja_dia?: string; caja_ronda?: number; empresa?: string };
type Entry = Omit<Payment, 'fecha'> &
  Collected & {
    estado: EstadoPago;
    fecha?: string | RawBuilder<string>;
    vence_at?: RawBuilder<string>;
    al_entregar?: true;
  };

/** Columns that the event of a payment needs. */
const EVENT_COLUMNS = ['id', 'pedido_id', 'proveedor', 'estado', 'importe_cents', 'fecha'] as const;

/** True if something is due, so never for a free order. */
export const isPayable = ({ pendiente_cents }: Pick<PedidoRow, 'pendiente_cents'>): boolean => pendiente_cents > 0;

/** Records a payment in cents, or updates the provider's payment with the same `externo_id`. The order must be locked: a trigger adds to `pagado_cents`. */
export const recordPago = (tx: Tx, pedido: { id: string }, pago: Entry): Promise<void> => recordPagos(tx, [{ pedido, pago }]);

/** Like `recordPago`, for many locked orders. */
export async function recordPagos(tx: Tx, pagos: readonly { pedido: { id: string }; pago: Entry }[]): Promise<void> {
  if (pagos.length === 0) return;
  const rows = await tx
    .insertInto('pagos')
    .values(
      pagos.map(
        ({
          pedido,
          pago: {
            transportista_id,
            caja_dia,
            caja_ronda,
            empresa,
            fecha,
            vence_at,
            devolucion_id,
            al_entregar,
            tienda_pedido_id,
            movimiento_id,
            externo_id = null,
            ...pago
          },
        }) => ({
          pedido_id: pedido.id,
          proveedor: pago.proveedor,
          referencia: pago.referencia,
          importe_cents: pago.importe_cents,
          estado: pago.estado,
          externo_id,
          ...(transportista_id && { transportista_id }),
          ...(caja_dia && { caja_dia, caja_ronda }),
          ...(empresa && { empresa }),
          ...(fecha && { fecha }),
          ...(vence_at && { vence_at }),
          ...(devolucion_id && { devolucion_id }),
          ...(al_entregar && { al_entregar }),
          ...(tienda_pedido_id && { tienda_pedido_id }),
          ...(movimiento_id && { movimiento_id, del_banco: true }),
        }),
      ),
    )
    .onConflict((conflict) =>
      conflict.columns(['proveedor', 'externo_id']).doUpdateSet(({ ref }) => ({
        estado: ref('excluded.estado'),
        referencia: ref('excluded.referencia'),
        importe_cents: ref('excluded.importe_cents'),
        fecha: sql<string>`dia_negocio(now())`,
        updated_at: sql<string>`now()`,
      })),
    )
    .returning(EVENT_COLUMNS)
    .$if(pagos.length > 1, (query) => query.modifyEnd(UNPREPARED))
    .execute();
  await queuePagos(tx, rows);
}

export type Opened = { externo_id: string; vence_at: Date };

/** Adds the provider's id to the order's latest begun payment, unless another payment already has that id. */
export async function nameBegun(db: Db, pedido: { id: string }, proveedor: string, { externo_id, vence_at }: Opened): Promise<void> {
  await transact(db, async (tx) => {
    await tx.selectFrom('pedidos').select('id').where('id', '=', pedido.id).forUpdate().execute();
    const known = tx.selectFrom('pagos').where('proveedor', '=', proveedor);
    const named = await known.select('id').where('externo_id', '=', externo_id).executeTakeFirst();
    const begun = await known
      .select('id')
      .where('pedido_id', '=', pedido.id)
      .where('estado', '=', 'iniciado')
      .where('externo_id', 'is', null)
      .orderBy('created_at', 'desc')
      .executeTakeFirst();
    if (named || !begun) return;
    await tx
      .updateTable('pagos')
      .set({ externo_id, referencia: externo_id, vence_at: vence_at.toISOString() })
      .where('id', '=', begun.id)
      .execute();
  });
}

/** Marks a begun payment as declined or never made; leaves payments in any other estado. */
export async function rejectPago(tx: Tx, { proveedor, externo_id }: Origin & { externo_id: string }): Promise<void> {
  await tx
    .updateTable('pagos')
    .set({ estado: 'rechazado', updated_at: sql`now()` })
    .where('proveedor', '=', proveedor)
    .where('externo_id', '=', externo_id)
    .where('estado', '=', 'iniciado')
    .execute();
}

/** Returns the payments of an order, newest first; leaves out begun payments. Throws 404. */
export async function listPagos(db: Db, actor: Actor, pedido: string): Promise<Omit<Pago, 'proveedor_nombre'>[]> {
  const { id } = await findPedido(db, actor, pedido);
  const rows = await db
    .selectFrom('pagos')
    .select(['id', 'proveedor', 'referencia', 'estado', 'importe_cents', 'devuelto_cents', 'fecha', 'created_at', 'updated_at', 'nota'])
    .where('pedido_id', '=', id)
    .where('estado', '!=', 'iniciado')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(100)
    .execute();
  return rows.map(({ importe_cents, devuelto_cents, ...row }) => ({
    ...row,
    importe: toEuros(importe_cents),
    devuelto: toEuros(devuelto_cents),
  }));
}

export async function hasFailed(db: Db, pedido: { id: string }): Promise<boolean> {
  const last = await db
    .selectFrom('pagos')
    .select('estado')
    .where('pedido_id', '=', pedido.id)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return last?.estado === 'rechazado';
}

/** Legal term of refunds in days (Real Decreto Legislativo 1/2007, artículo 107). */
const REFUND_DAYS = 14;

/** SQL for the cents of the return `d` that pay for the follow-up order instead of being refunded. */
export const movedTo = sql<number>`(SELECT coalesce(sum(p.importe_cents), 0) FROM pagos p WHERE p.devolucion_id = d.id)::bigint`;

/** Returns the refunds of an order, due and made, for the customer's page; oldest first. */
export async function listRefunds(db: Db, pedido: { id: string }): Promise<PagoPublico['devoluciones']> {
  const hecha = sql<boolean>`estado = 'devuelto'`;
  const ofPayments = db
    .selectFrom('pagos')
    .select(['created_at', sql<number>`importe_cents - devuelto_cents`.as('importe_cents'), hecha.as('hecha')])
    .select(sql<string>`(dia_negocio(updated_at) + CASE WHEN ${hecha} THEN 0 ELSE ${sql.lit(REFUND_DAYS)} END)::text`.as('fecha'))
    .where('pedido_id', '=', pedido.id)
    .where('estado', 'in', [...POR_DEVOLVER, 'devuelto'])
    .whereRef('importe_cents', '>', 'devuelto_cents');
  const ofReturns = db
    .selectFrom('devoluciones as d')
    .select(['d.created_at', sql<number>`d.reembolso_cents - ${movedTo}`.as('importe_cents'), sql<boolean>`true`.as('hecha')])
    .select(sql<string>`dia_negocio(d.created_at)::text`.as('fecha'))
    .where('d.pedido_id', '=', pedido.id)
    .where(sql`d.reembolso_cents`, '>', movedTo)
    .where('d.anulada_at', 'is', null);
  // Paid beyond the total and already refunded.
  const ofRest = db
    .selectFrom('pagos')
    .select(['created_at', 'devuelto_cents as importe_cents', sql<boolean>`true`.as('hecha')])
    .select(sql<string>`dia_negocio(updated_at)::text`.as('fecha'))
    .where('pedido_id', '=', pedido.id)
    .where('devuelto_cents', '>', 0);
  // Paid beyond the total or for goods that did not stay with the customer, and still to be refunded.
  const due = db
    .selectFrom('pedidos')
    .select([sql<string>`por_reembolsar_at`.as('created_at'), 'por_reembolsar_cents as importe_cents', sql<boolean>`false`.as('hecha')])
    .select(sql<string>`(dia_negocio(por_reembolsar_at) + ${sql.lit(REFUND_DAYS)})::text`.as('fecha'))
    .where('id', '=', pedido.id)
    .where('por_reembolsar_cents', '>', 0);
  const found = await ofPayments.unionAll(ofReturns).unionAll(ofRest).unionAll(due).orderBy('created_at').limit(100).execute();
  const rows = found.map(({ created_at: _, ...row }) => row);
  return rows.map(({ importe_cents, ...row }) => ({ importe: toEuros(importe_cents), ...row }));
}

/** Marks a payment as refunded. Throws 404, 409 if no refund is pending. */
export async function markRefunded(db: Db, actor: Actor, id: string, nota: string | null): Promise<void> {
  const closing: Closing = {
    set: { estado: 'devuelto', nota },
    among: ({ estado }) => POR_DEVOLVER.includes(estado),
    refusal: 'Este pago no está pendiente de devolver',
    accion: 'Pago reembolsado',
  };
  await transact(db, (tx) => closePago(tx, actor, id, closing));
}

/** Annuls a payment noted by hand; the estado stays. Throws 404, 409 if a provider's, or handed over, confirmed, moved or refunded. */
export async function annulPago(db: Db, actor: Actor, id: string, nota: string): Promise<void> {
  await transact(db, (tx) => annulIn(tx, actor, id, nota));
}

/** Like `annulPago`, within a transaction; returns the payment's order. */
export const annulIn = (tx: Tx, actor: Actor, id: string, nota: string): Promise<PedidoRow> =>
  closePago(tx, actor, id, {
    set: { estado: 'anulado', nota },
    among: ({ estado, proveedor }) => estado === 'pagado' && isByHand(proveedor),
    refusal: 'Solo se pueden anular los pagos anotados a mano que todavía cuentan',
    accion: 'Pago anulado',
  });

/** Annuls the payment that a return moved to this locked order. Throws 409 once the payment is refunded. */
export async function annulMoved(tx: Tx, actor: Actor, pedido: PedidoRow, devolucion_id: string, nota: string): Promise<void> {
  const moved = await tx
    .selectFrom('pagos')
    .select(EVENT_COLUMNS)
    .where('devolucion_id', '=', devolucion_id)
    .where('estado', '!=', 'anulado')
    .executeTakeFirst();
  if (!moved) return;
  if (moved.estado === 'devuelto')
    throw conflict(
      `Los ${inEuros(moved.importe_cents)} que pasaron al pedido ${pedido.numero_orden} ya se han reembolsado: no se puede anular`,
    );
  await tx.updateTable('pagos').set({ estado: 'anulado', nota, updated_at: sql`now()` }).where('id', '=', moved.id).execute();
  await notifyOfAnnulled(tx, moved);
  await recordChange(tx, actor, { accion: 'Pago anulado', action: 'update', nota }, pedido, pedido);
}

type Closing = {
  set: { estado: EstadoPago; nota: string | null };
  among: (pago: { estado: EstadoPago; proveedor: string }) => boolean;
  refusal: string;
  accion: string;
};
/** Ends a payment as `set` says. Throws 404; 409 if it is not `among` those that can, or its money is elsewhere by now. */
export async function closePago(tx: Tx, actor: Actor, id: string, { set, among, refusal, accion }: Closing): Promise<PedidoRow> {
  const found = tx
    .selectFrom('pagos')
    .select([...EVENT_COLUMNS, 'devuelto_cents', 'transportista_id', 'caja_dia', 'caja_ronda'])
    .select(['devolucion_id', 'comprobado_at', 'empresa', 'remesa_id'])
    .where('id', '=', id);
  const { pedido_id } = await found.executeTakeFirstOrThrow(() => notFound());
  const pedido = await lockPedido(tx, actor, pedido_id);
  // Reads the payment again: it may have changed before the order was locked.
  const pago = await found.executeTakeFirstOrThrow();
  if (!among(pago)) throw conflict(refusal);
  if (set.estado === 'anulado') {
    await refuseHandedOver(tx, pago);
    if (pago.remesa_id) throw conflict(`${pago.empresa ?? 'La empresa'} ya ha pagado este cobro: deshaz antes su remesa en Caja`);
    if (pago.comprobado_at) throw conflict('Este cobro ya se ha comprobado en el banco o el datáfono: no se puede anular');
    if (pago.devuelto_cents) throw conflict(`De este pago ya se han reembolsado ${inEuros(pago.devuelto_cents)}: no se puede anular`);
    // Annulling would lose money moved from another order, which counts the money as refunded.
    if (pago.devolucion_id) throw conflict('Este dinero viene de otro pedido: para reembolsarlo, cancela este');
  }
  if (pago.estado === 'pagado' && pedido.pagado_cents - pago.importe_cents + pago.devuelto_cents < pedido.reembolsado_cents)
    throw conflict(`Se ha reembolsado ${inEuros(pedido.reembolsado_cents)} de este pedido: anula antes la devolución`);
  await tx
    .updateTable('pagos')
    .set({ ...set, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
  if (set.estado === 'anulado') await notifyOfAnnulled(tx, pago);
  else await notifyOfRefund(tx, { pedido_id, pago_id: id, cents: pago.importe_cents - pago.devuelto_cents });
  await recordChange(tx, actor, { accion, action: 'update', nota: set.nota }, pedido, pedido);
  return pedido;
}
