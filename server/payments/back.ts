import { type Expression, sql } from 'kysely';
import type { EstadoPago } from '../../contract/payments/fields.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { noteRefunds } from '../devoluciones/refunds.ts';
import { inEuros } from '../kit/money.ts';
import { type LockedPago, lockPaid, nameIntent, notedBack, takeFromPago } from '../pedidos/pagos/overpaid.ts';
import type { Back, Gateway } from './provider.ts';
import { providerLabel } from './providers.ts';
import { notifyReview } from './settle.ts';

/** `reembolsado`: the money was owed. `coincide`: the refund was already noted. Others: the cause of a review, or a dispute won. */
type Outcome = Back['back'] | 'reembolsado' | 'coincide';
/** `anotado`: cents taken from the payment. */
type Result = { resultado: Outcome; anotado: number };

const WORDS: Record<Back['back'], string> = {
  reembolso: 'Reembolso hecho en la pasarela',
  disputa: 'Cobro reclamado al banco',
  disputa_perdida: 'Reclamación perdida',
  disputa_ganada: 'Reclamación cerrada a favor',
};
const RECEIVED: readonly EstadoPago[] = ['pagado', 'tardio', 'duplicado', 'devolucion_pendiente', 'devuelto'];

/** Processes a notification about a refund or dispute, once by `evento_id` (decision 098). Throws 503 if the provider does not answer. */
export async function receiveBack(db: Db, proveedor: string, { find }: Pick<Gateway, 'find'>, refund: Back): Promise<void> {
  const { evento_id, back, intento, importe_cents, moneda } = refund;
  const named = db.selectFrom('pagos').select('externo_id').where('proveedor', '=', proveedor);
  const known = intento ? (await named.where('intento', '=', intento).executeTakeFirst())?.externo_id : refund.externo_id;
  // Payments from before version 0.3.0 have no `intento`.
  const externo_id = known ?? (intento && (await find?.(intento)));
  if (!externo_id) return;
  await transact(db, async (tx) => {
    if (intento) await nameIntent(tx, { proveedor, externo_id, intento });
    const paid = await lockPaid(tx, { proveedor, externo_id });
    const fresh = await tx
      .insertInto('payment_events')
      .values({ proveedor, evento_id, externo_id, pedido_id: paid?.pedido.id ?? null, importe_cents, moneda, resultado: 'en_curso' })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!fresh) return;
    const { resultado, anotado } = await settleBack(tx, proveedor, { ...refund, externo_id }, paid);
    await tx.updateTable('payment_events').set({ resultado, anotado_cents: anotado }).where('id', '=', fresh.id).execute();
    if (back === 'disputa_ganada' || back === 'disputa_perdida')
      await closeReview(tx, proveedor, externo_id, { of: ['disputa'], as: 'visto', motivo: WORDS[back] });
    if (resultado !== back || back === 'disputa_ganada') return;
    const order = paid ? `del pedido ${paid.pedido.numero_orden} (${paid.pedido.cliente_nombre})` : 'de un pedido que no se conoce';
    const amount = moneda === 'EUR' ? inEuros(importe_cents) : `${importe_cents / 100} ${moneda}`;
    const next =
      back === 'disputa'
        ? 'Respóndela en la pasarela antes de su plazo.'
        : anotado > 0
          ? 'El pedido lo vuelve a deber.'
          : 'Mira qué hay que anotar.';
    await notifyReview(tx, `${WORDS[back]}: ${amount} ${order}, por ${providerLabel(proveedor)}. ${next}`);
  });
}

/** Notes a refund at the returns that are owed, and takes the rest from the payment, unless already noted. Of disputes, books only lost ones. */
async function settleBack(tx: Tx, proveedor: string, refund: Back & { externo_id: string }, paid: LockedPago | undefined): Promise<Result> {
  const { back, externo_id, importe_cents, moneda, total } = refund;
  if (back === 'disputa' || back === 'disputa_ganada') return { resultado: back, anotado: 0 };
  const before = await sumsBefore(tx, proveedor, externo_id);
  const cents = total || back === 'disputa_perdida' ? importe_cents : before.refunded + importe_cents;
  if (!paid || moneda !== 'EUR' || !RECEIVED.includes(paid.pago.estado)) {
    const waiting = { of: ['desconocido', 'importe', 'moneda'], as: 'devuelto', motivo: WORDS.reembolso, upTo: cents } as const;
    const closed = back === 'reembolso' && (await closeReview(tx, proveedor, externo_id, waiting));
    return { resultado: closed ? 'reembolsado' : back, anotado: 0 };
  }
  const noted = notedBack(paid);
  // The provider's sum of refunds does not include money taken by disputes.
  const more = Math.min(back === 'reembolso' ? cents - (noted - before.disputed) : cents, paid.pago.importe_cents - noted);
  if (more <= 0) return { resultado: back === 'reembolso' ? 'coincide' : back, anotado: 0 };
  const accion = `${WORDS[back]} (${providerLabel(proveedor)})`;
  // The refund of a late or duplicate payment belongs to the payment, not to returns.
  const isOfReturns = back === 'reembolso' && paid.pago.estado === 'pagado';
  const rest = more - (isOfReturns ? await noteRefunds(tx, paid.pedido, more, accion, { pago_id: paid.pago.id }) : 0);
  if (rest === 0) return { resultado: 'reembolsado', anotado: 0 };
  const left = (await lockPaid(tx, { proveedor, externo_id })) ?? paid;
  const after = await takeFromPago(tx, left, rest, accion);
  const owed = after.pendiente_cents === paid.pedido.pendiente_cents;
  return { resultado: back === 'reembolso' && owed ? 'reembolsado' : back, anotado: rest };
}

/** Cents of a payment's earlier refunds, and cents taken by lost disputes. */
async function sumsBefore(tx: Tx, proveedor: string, externo_id: string): Promise<{ refunded: number; disputed: number }> {
  const sum = (cents: Expression<number | null>, when: Expression<boolean>) =>
    sql<number>`coalesce(sum(${cents}) FILTER (WHERE ${when}), 0)::bigint`;
  return tx
    .selectFrom('payment_events')
    .select((eb) => [
      sum(eb.ref('importe_cents'), sql<boolean>`resultado IN ('reembolso', 'reembolsado', 'coincide')`).as('refunded'),
      sum(eb.ref('anotado_cents'), sql<boolean>`resultado = 'disputa_perdida'`).as('disputed'),
    ])
    .where('proveedor', '=', proveedor)
    .where('externo_id', '=', externo_id)
    .executeTakeFirstOrThrow();
}

type Close = { of: readonly string[]; as: 'visto' | 'devuelto'; motivo: string; upTo?: number };

/** Closes the open reviews of a payment with these results; returns false if there were none. */
async function closeReview(tx: Tx, proveedor: string, externo_id: string, { of, as, motivo, upTo }: Close): Promise<boolean> {
  const closed = await tx
    .updateTable('payment_events')
    .set({ resolucion: as, motivo, resuelto_at: sql`now()` })
    .where('proveedor', '=', proveedor)
    .where('externo_id', '=', externo_id)
    .where('resultado', 'in', of)
    .where((eb) => eb.or([eb('resolucion', 'is', null), eb('resolucion', '=', 'devolver')]))
    .$if(upTo !== undefined, (query) => query.where('importe_cents', '<=', upTo ?? 0))
    .returning('id')
    .execute();
  return closed.length > 0;
}
