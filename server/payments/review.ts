import { type SelectQueryBuilder, sql } from 'kysely';
import { asPage, type BodyOut, type Paged, type QueryOut } from '../../contract/kit/endpoint.ts';
import { isBack, POR_REVISAR, type Resolucion } from '../../contract/payments/fields.ts';
import type { listPagosPorRevisar, PagoPorRevisar, resolverPago } from '../../contract/payments/payments.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import { audit } from '../audit/audit.ts';
import { type Db, onPage, type Tx, transact } from '../db/open.ts';
import type { Tables } from '../db/schema.ts';
import { conflict, invalid, notFound } from '../kit/errors.ts';
import { toCents, toEuros } from '../kit/money.ts';
import { takePayment } from '../pedidos/escritura/cobrar.ts';
import { COLUMNS } from '../pedidos/lectura/row.ts';
import { providerLabel } from './providers.ts';

type Events<O> = SelectQueryBuilder<Tables, 'payment_events', O>;
/** Filters for undecided payments and refunds not yet made. */
const waiting = <O>(events: Events<O>, ids?: readonly string[]) =>
  events
    .where(
      'resultado',
      'in',
      POR_REVISAR.map((cause) => sql.lit(cause)),
    )
    .where((eb) => eb.or([eb('resolucion', 'is', null), eb('resolucion', '=', 'devolver')]))
    // equivalent ids: read only where ids are given
    .$if(ids !== undefined, (query) => query.where('payment_events.id', 'in', ids ?? []));

export async function listPorRevisar(db: Db, query: QueryOut<typeof listPagosPorRevisar>): Promise<Paged<PagoPorRevisar>> {
  const { total } = await waiting(db.selectFrom('payment_events'), query.ids)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await waiting(db.selectFrom('payment_events'), query.ids)
    .leftJoin('pedidos', 'pedidos.id', 'payment_events.pedido_id')
    .select(['payment_events.id', 'proveedor', 'externo_id', 'resultado', 'importe_cents', 'anotado_cents', 'moneda', 'received_at'])
    .select(['resolucion', 'payment_events.motivo', 'pedidos.id as pedido', 'numero_orden', 'cliente_nombre'])
    .select('pendiente_cents')
    .orderBy('received_at')
    .orderBy('payment_events.id')
    .$call(onPage(query))
    .execute();
  const data = rows.map(({ pedido, numero_orden, cliente_nombre, pendiente_cents, ...event }) => ({
    id: event.id,
    proveedor_nombre: providerLabel(event.proveedor),
    referencia: event.externo_id ?? '',
    causa: event.resultado as PagoPorRevisar['causa'],
    importe: event.importe_cents === null ? null : toEuros(event.importe_cents),
    anotado: toEuros(event.anotado_cents),
    moneda: event.moneda ?? '',
    received_at: event.received_at,
    pedido:
      pedido && numero_orden && cliente_nombre && pendiente_cents !== null
        ? { id: pedido, numero_orden, cliente_nombre, pendiente: toEuros(pendiente_cents) }
        : null,
    resolucion: event.resolucion,
    motivo: event.motivo,
  }));
  return asPage(data, Number(total), query);
}

const WORDS: Record<Resolucion, string> = {
  pagado: 'anotado como pagado',
  devolver: 'hay que devolverlo',
  devuelto: 'devuelto',
  visto: 'no hay que hacer nada',
};

/** Settles a payment, with a reason. Throws 404, 409 if settled, 422 without an order or an amount in euros, for more than is due, or for money that went back. */
export async function resolveReview(db: Db, actor: Actor, id: string, input: BodyOut<typeof resolverPago>): Promise<void> {
  const { resolucion, motivo } = input;
  await transact(db, async (tx) => {
    const event = await tx
      .selectFrom('payment_events')
      .selectAll()
      .where('id', '=', id)
      .where('resultado', 'in', POR_REVISAR)
      .forUpdate()
      .executeTakeFirstOrThrow(() => notFound());
    if (event.resolucion !== null && event.resolucion !== 'devolver') throw conflict('Este pago ya está revisado');
    if (isBack(event.resultado) && resolucion !== 'visto')
      throw invalid('resolucion', 'Este dinero ya ha vuelto al cliente: solo se puede dar por visto');
    const pedido = resolucion === 'pagado' ? await takeOn(tx, actor, event, input) : event.pedido_id;
    await tx
      .updateTable('payment_events')
      .set({ resolucion, motivo, pedido_id: pedido, resuelto_at: sql`now()` })
      .where('id', '=', id)
      .execute();
    await audit(tx, actor, {
      type: 'pedido',
      action: 'update',
      entity_type: 'pago',
      entity_id: id,
      description: `Pago ${event.externo_id ?? ''} de ${providerLabel(event.proveedor)} revisado: ${WORDS[resolucion]}`,
      antes: { resolucion: event.resolucion },
      despues: { resolucion, motivo },
    });
  });
}

type Event = {
  pedido_id: string | null;
  proveedor: string;
  externo_id: string | null;
  importe_cents: number | null;
  moneda: string | null;
};

/** Books the payment on its order; returns the order's id. */
async function takeOn(tx: Tx, actor: Actor, event: Event, { numero_orden, importe, motivo }: BodyOut<typeof resolverPago>) {
  const orders = tx.selectFrom('pedidos').select(COLUMNS).forUpdate();
  const row = await (numero_orden
    ? orders.where('numero_orden', '=', numero_orden.toUpperCase())
    : orders.where('id', '=', event.pedido_id)
  ).executeTakeFirst();
  if (!row) throw invalid('numero_orden', numero_orden ? 'Ningún pedido tiene ese número' : 'Indica de qué pedido es');
  const importe_cents = importe != null ? toCents(importe) : event.moneda === 'EUR' ? event.importe_cents : null;
  if (!importe_cents) throw invalid('importe', 'Indica cuántos euros son');
  const { proveedor, externo_id } = event;
  const begun = externo_id
    ? await tx
        .selectFrom('pagos')
        .select('pedido_id')
        .where('proveedor', '=', proveedor)
        .where('externo_id', '=', externo_id)
        .executeTakeFirst()
    : undefined;
  // A payment begun for another order keeps its row and `externo_id` there.
  const own = externo_id && (!begun || begun.pedido_id === row.id);
  const pago = { proveedor, referencia: externo_id ?? '', importe_cents, ...(own && { externo_id }) };
  await takePayment(tx, actor, row, pago, motivo);
  return row.id;
}
