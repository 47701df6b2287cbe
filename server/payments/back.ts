import { type Expression, sql } from 'kysely';
import type { EstadoPago } from '../../contract/payments/fields.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { noteRefunds } from '../devoluciones/refunds.ts';
import { inEuros } from '../kit/money.ts';
import { type LockedPago, lockPaid, nameIntent, notedBack, takeFromPago } from '../pedidos/pagos/overpaid.ts';
import type { Back, Gateway } from './provider.ts';
import { providerLabel } from './providers.ts';
import { notifyReview } from './settle.ts';

/** `reembolsado`: it was owed. `coincide`: it was noted already. The others are causes of a review, or a dispute that was won. */
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

/** Processes a notification about money that went back, once, by `evento_id` (decision 098). Throws 503 if the provider is silent. */
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

/** Notes the money at the returns that owe it, and takes the rest from its payment, unless noted already. A dispute takes money when it is lost. */
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
  // A provider's sum of refunds lacks what a dispute took.
  const more = Math.min(back === 'reembolso' ? cents - (noted - before.disputed) : cents, paid.pago.importe_cents - noted);
  if (more <= 0) return { resultado: back === 'reembolso' ? 'coincide' : back, anotado: 0 };
  const accion = `${WORDS[back]} (${providerLabel(proveedor)})`;
  // A late or duplicate payment owes its own money.
  const isOfReturns = back === 'reembolso' && paid.pago.estado === 'pagado';
  const rest = more - (isOfReturns ? await noteRefunds(tx, paid.pedido, more, accion) : 0);
  if (rest === 0) return { resultado: 'reembolsado', anotado: 0 };
  const left = (await lockPaid(tx, { proveedor, externo_id })) ?? paid;
  const after = await takeFromPago(tx, left, rest, accion);
  const owed = after.pendiente_cents === paid.pedido.pendiente_cents;
  return { resultado: back === 'reembolso' && owed ? 'reembolsado' : back, anotado: rest };
}

/** Cents of earlier refunds of a payment, and those that lost disputes took from it. */
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

/** Settles what waits for a review of this payment; returns whether anything did. */
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
