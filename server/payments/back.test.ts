import { beforeAll, beforeEach, expect, it } from 'vitest';
import { createDevolucion, listDevoluciones } from '../../contract/devoluciones/devoluciones.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { listPagos, listPagosPorRevisar, resolverPago } from '../../contract/payments/payments.ts';
import { getPedido, type Pedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { REDSYS, redsysSays, STRIPE, stripeEvent, stripeSays } from '../../test/paying.ts';
import { startStripeSimulator } from '../../test/stripe-simulator.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { recountAccounts } from '../cuadre/run.ts';
import { onSnapshot } from '../db/open.ts';

let world: World;
let admin: Person;
let stripe: Awaited<ReturnType<typeof startStripeSimulator>>;
beforeAll(async () => {
  stripe = await startStripeSimulator();
  world = await createWorld({ ...STRIPE, ...REDSYS, STRIPE_API_BASE: stripe.url, LOG_LEVEL: 'silent' });
  return async () => {
    await world.close();
    await stripe.close();
  };
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  stripe.says.session = { data: [] };
});

const IMPORTE = 1750;
/** An order paid by Stripe; `intento` names the money. */
async function paid({ importe = IMPORTE, intento = 'pi_1' } = {}) {
  const pedido = await world.pedido({ estado: 'pendiente_pago', precio_total_cents: importe });
  await stripeSays(world.nobody(), { id: `evt_${intento}`, pedido: pedido.id, importe, intento });
  return pedido;
}
const says = (id: string, type: string, object: object) =>
  stripeEvent(world.nobody(), { id, type, object: { payment_intent: 'pi_1', currency: 'eur', ...object } });
const refunded = (id: string, amount_refunded: number, over: object = {}) => says(id, 'charge.refunded', { amount_refunded, ...over });
const disputed = (id: string, state: 'created' | 'closed', status: string, amount = IMPORTE) =>
  says(id, `charge.dispute.${state}`, { amount, status });
const orderOf = (id: string) =>
  world.db.selectFrom('pedidos').select(['pagado_cents', 'pendiente_cents', 'estado']).where('id', '=', id).executeTakeFirstOrThrow();
const pagosOf = async (id: string) =>
  (await admin.call(listPagos, { params: { id } })).body.data.map(({ estado, importe, devuelto }) => [estado, importe, devuelto]);
const waiting = async () =>
  (await admin.call(listPagosPorRevisar)).body.data.map(({ causa, importe, anotado }) => [causa, importe, anotado]);

it('refunds at Stripe, partial and repeated, are booked once on their payment, and shown for review', async () => {
  const { id, numero_orden } = await paid();
  expect((await refunded('evt_a', 500)).body).toEqual({ received: true });
  await refunded('evt_a', 500);
  expect(await pagosOf(id)).toEqual([['pagado', 17.5, 5]]);
  expect(await orderOf(id)).toMatchObject({ pagado_cents: 1250, pendiente_cents: 500 });
  await refunded('evt_b', IMPORTE);
  expect(await orderOf(id)).toMatchObject({ pagado_cents: 0, pendiente_cents: IMPORTE });
  expect(await waiting()).toEqual([
    ['reembolso', 5, 5],
    ['reembolso', 17.5, 12.5],
  ]);
  const { body } = await admin.call(listNotifications);
  const texts = body.data.filter(({ tipo }) => tipo === 'pago_por_revisar').map(({ texto }) => texto);
  expect(texts).toHaveLength(2);
  expect(texts[0]).toContain(`del pedido ${numero_orden}`);
});

it('the notice of money that goes back says what is to do: nothing was noted, the order owes it again, or an answer is due', async () => {
  const notices = async () =>
    (await admin.call(listNotifications)).body.data.filter(({ tipo }) => tipo === 'pago_por_revisar').map(({ texto }) => texto);
  await paid();
  await refunded('evt_a', 1);
  expect(await notices()).toEqual([expect.stringMatching(/0,01\u00a0€ del pedido .*\. El pedido lo vuelve a deber\.$/)]);
  // Another currency, and money of no known order: nothing was noted.
  await refunded('evt_b', 900, { currency: 'usd' });
  expect((await notices())[0]).toMatch(/9 USD del pedido .*\. Mira qué hay que anotar\.$/);
  await disputed('evt_c', 'created', 'needs_response');
  expect((await notices())[0]).toMatch(/\. Respóndela en la pasarela antes de su plazo\.$/);
  await disputed('evt_d', 'closed', 'lost');
  expect((await notices())[0]).toMatch(/17,50\u00a0€ del pedido .*\. El pedido lo vuelve a deber\.$/);
  expect(await notices()).toHaveLength(4);
});

it('a refund or dispute under review can only be marked as seen', async () => {
  await paid();
  await refunded('evt_a', 500);
  const [entry] = (await admin.call(listPagosPorRevisar)).body.data;
  const resolve = async (resolucion: 'pagado' | 'visto') =>
    (await admin.call(resolverPago, { params: { id: entry?.id ?? '' }, body: { resolucion, motivo: 'x' } })).status;
  expect([await resolve('pagado'), await resolve('visto')]).toEqual([422, 200]);
  expect(await waiting()).toEqual([]);
});

it('a refund that was owed closes it, and is not to be reviewed', async () => {
  const { id } = await paid();
  await admin.call(setEstado, { params: { id }, body: { estado: 'cancelado' } });
  expect(await pagosOf(id)).toEqual([['devolucion_pendiente', 17.5, 0]]);
  await refunded('evt_a', IMPORTE);
  expect(await pagosOf(id)).toEqual([['devuelto', 17.5, 0]]);
  expect(await waiting()).toEqual([]);
});

it('a refund already noted with a return changes nothing, and a larger one only the difference', async () => {
  const pack = await world.pack();
  const { id } = await world.pedido({ estado: 'pendiente_pago', pack_id: pack.id, cantidad: 2, precio_total_cents: 2000 });
  await stripeSays(world.nobody(), { id: 'evt_1', pedido: id, importe: 2000, intento: 'pi_1' });
  await admin.call(setEstado, { params: { id }, body: { estado: 'completado', metodo_entrega: 'manual' } });
  const lineas = [{ numero: 1, cantidad: 1, destino: 'stock' as const }];
  const answer = await admin.call(createDevolucion, { params: { id }, body: { lineas, motivo: 'danado', reembolso: 10 } });
  expect(answer.status).toBe(201);
  await refunded('evt_a', 1000);
  expect([await orderOf(id), await waiting()]).toMatchObject([{ pagado_cents: 2000 }, []]);
  await refunded('evt_b', 1200);
  expect([await orderOf(id), await waiting()]).toMatchObject([{ pagado_cents: 1800 }, [['reembolso', 12, 2]]]);
});

/** A delivered order of two packs, 20 €, paid by Stripe, with a return of one, 10 €, that is not refunded. */
async function withReturn() {
  const pack = await world.pack();
  const { id } = await world.pedido({ estado: 'pendiente_pago', pack_id: pack.id, cantidad: 2, precio_total_cents: 2000 });
  await stripeSays(world.nobody(), { id: 'evt_1', pedido: id, importe: 2000, intento: 'pi_1' });
  await admin.call(setEstado, { params: { id }, body: { estado: 'completado', metodo_entrega: 'manual' } });
  const lineas = [{ numero: 1, cantidad: 1, destino: 'stock' as const }];
  await admin.call(createDevolucion, { params: { id }, body: { lineas, motivo: 'danado' } });
  const state = async () => {
    const [devolucion] = (await admin.call(listDevoluciones, { params: { id } })).body.data;
    const { por_reembolsar, pendiente, pagado } = (await admin.call(getPedido, { params: { id } })).body.data as Pedido;
    return { pagado, pendiente, por_reembolsar, reembolso: devolucion?.reembolso, waiting: await waiting() };
  };
  return { id, state };
}

it('a refund at Stripe is noted at the order’s return, in parts, and the excess is taken from the payment', async () => {
  const { state } = await withReturn();
  expect(await state()).toEqual({ pagado: 20, pendiente: 0, por_reembolsar: 10, reembolso: 0, waiting: [] });
  await refunded('evt_a', 400);
  expect(await state()).toEqual({ pagado: 20, pendiente: 0, por_reembolsar: 6, reembolso: 4, waiting: [] });
  await refunded('evt_a', 400);
  await refunded('evt_b', 1200);
  expect(await state()).toEqual({ pagado: 18, pendiente: 2, por_reembolsar: 0, reembolso: 10, waiting: [['reembolso', 12, 2]] });
  expect(await onSnapshot(world.db, (tx) => recountAccounts(tx))).toEqual([]);
});

it('a refund at Stripe of a duplicate payment leaves the return of the same order owed', async () => {
  const { id, state } = await withReturn();
  await stripeSays(world.nobody(), { id: 'evt_2', pedido: id, importe: 2000, intento: 'pi_2' });
  await refunded('evt_a', 2000, { payment_intent: 'pi_2' });
  expect(await state()).toMatchObject({ por_reembolsar: 10, reembolso: 0, waiting: [] });
});

it('a dispute is shown for review at once, and takes the money when it is lost', async () => {
  const { id } = await paid();
  await disputed('evt_a', 'created', 'needs_response');
  expect([await orderOf(id), await waiting()]).toMatchObject([{ pagado_cents: IMPORTE }, [['disputa', 17.5, 0]]]);
  await disputed('evt_b', 'closed', 'lost');
  expect([await orderOf(id), await waiting()]).toMatchObject([
    { pagado_cents: 0, pendiente_cents: IMPORTE },
    [['disputa_perdida', 17.5, 17.5]],
  ]);
});

it.each(['won', 'warning_closed'])('a dispute that is %s needs nothing more', async (status) => {
  const { id } = await paid();
  await disputed('evt_a', 'created', 'needs_response');
  await disputed('evt_b', 'closed', status);
  expect([await orderOf(id), await waiting()]).toMatchObject([{ pagado_cents: IMPORTE }, []]);
});

it('a payment without a stored payment intent is found by asking Stripe, and refunds of other programs are ignored', async () => {
  const { id } = await paid();
  await world.db.updateTable('pagos').set({ intento: null }).execute();
  await refunded('evt_a', 500, { payment_intent: 'pi_other' });
  expect(await waiting()).toEqual([]);
  stripe.says.session = { data: [{ id: 'cs_evt_pi_1', metadata: { pedido: id } }] };
  await refunded('evt_b', 500);
  expect(await orderOf(id)).toMatchObject({ pagado_cents: 1250 });
});

it('a refund of a payment that waits for its refund in the review closes the review', async () => {
  const pedido = await world.pedido({ estado: 'pendiente_pago', precio_total_cents: IMPORTE });
  await stripeSays(world.nobody(), { id: 'evt_1', pedido: pedido.id, importe: 900 });
  expect(await waiting()).toEqual([['importe', 9, 0]]);
  stripe.says.session = { data: [{ id: 'cs_evt_1', metadata: { pedido: pedido.id } }] };
  await refunded('evt_a', 900);
  expect(await waiting()).toEqual([]);
});

it('single refunds of Redsys add up, and a refused one changes nothing', async () => {
  const pedido = await world.pedido({ estado: 'pendiente_pago', precio_total_cents: IMPORTE });
  await world.db
    .insertInto('pagos')
    .values({
      pedido_id: pedido.id,
      proveedor: 'redsys',
      referencia: '',
      importe_cents: IMPORTE,
      estado: 'iniciado',
      externo_id: '0000ABCD',
    })
    .execute();
  const bank = (importe: number, response: string) => redsysSays(world.nobody(), { order: '0000ABCD', importe, response, type: '3' });
  await redsysSays(world.nobody(), { order: '0000ABCD', importe: IMPORTE });
  await bank(700, '0900');
  await bank(300, '0900');
  await bank(200, '0190');
  expect(await pagosOf(pedido.id)).toEqual([['pagado', 17.5, 10]]);
  expect(await waiting()).toEqual([
    ['reembolso', 7, 7],
    ['reembolso', 3, 3],
  ]);
});

it('a refund of money that no order has is told with its amount, and a repeated dispute once', async () => {
  const review = async () => (await admin.call(listPagosPorRevisar)).body.data.map(({ causa, importe }) => [causa, importe]);
  const notices = async () =>
    (await admin.call(listNotifications)).body.data.filter(({ tipo }) => tipo === 'pago_por_revisar').map(({ texto }) => texto);
  const { id } = await paid();
  await disputed('evt_a', 'created', 'needs_response', 700);
  await disputed('evt_a', 'created', 'needs_response', 700);
  expect([await review(), (await notices()).length]).toEqual([[['disputa', 7]], 1]);
  // A lost dispute takes its own amount, a refund after it no more than the rest.
  await disputed('evt_b', 'closed', 'lost', 700);
  expect(await orderOf(id)).toMatchObject({ pagado_cents: 1050, pendiente_cents: 700 });
  await refunded('evt_c', IMPORTE);
  expect(await orderOf(id)).toMatchObject({ pagado_cents: 0, pendiente_cents: IMPORTE });
  expect(await pagosOf(id)).toEqual([['pagado', 17.5, 17.5]]);
  expect((await notices())[0]).toMatch(/17,50\u00a0€ del pedido/);
});

it('a refund of one payment leaves another payment of the same provider as it was', async () => {
  const [first, second] = [await paid(), await paid({ intento: 'pi_2' })];
  await refunded('evt_a', 500);
  expect([await pagosOf(first.id), await pagosOf(second.id)]).toEqual([[['pagado', 17.5, 5]], [['pagado', 17.5, 0]]]);
  await refunded('evt_b', 300, { payment_intent: 'pi_2' });
  await refunded('evt_c', 600);
  expect([await pagosOf(first.id), await pagosOf(second.id)]).toEqual([[['pagado', 17.5, 6]], [['pagado', 17.5, 3]]]);
});
