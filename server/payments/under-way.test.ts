import { beforeAll, beforeEach, expect, it } from 'vitest';
import { startPago } from '../../contract/pagar/pagar.ts';
import { REDSYS, STRIPE } from '../../test/paying.ts';
import { startStripeSimulator } from '../../test/stripe-simulator.ts';
import { createWorld, type World } from '../../test/world.ts';
import { paymentsFeature } from './payments.feature.ts';

/* Unpaid orders are not cancelled during a payment. */

let world: World;
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
  Object.assign(stripe.says, { status: 200, session: {} });
});

const hours = (n: number) => new Date(Date.now() + n * 3_600_000).toISOString();
const IMPORTE = 4321;
/** Creates an order due to be cancelled, with a payment begun at `proveedor`. */
async function begun(proveedor: string) {
  const pedido = await world.pedido({
    estado: 'pendiente_pago',
    precio_total_cents: IMPORTE,
    created_at: hours(-100),
    recordatorio_at: hours(-50),
  });
  const { status } = await world
    .nobody()
    .call(startPago, { params: { token: pedido.pago_token ?? '', proveedor }, body: { metodo: 'tarjeta' } });
  expect(status).toBe(200);
  return pedido;
}
const closePage = () =>
  world.db
    .updateTable('pagos')
    .set({ vence_at: hours(-1) })
    .execute();
const run = async () => {
  const [job] = paymentsFeature.jobs?.({ ...world.process, features: [] }) ?? [];
  await job?.run();
};
const estadoOf = async ({ id }: { id: string }) =>
  await world.db.selectFrom('pedidos').select(['estado', 'pagado_cents']).where('id', '=', id).executeTakeFirstOrThrow();

it('an order with a payment under way is cancelled only once the payment page has closed', async () => {
  const pedido = await begun('redsys');
  await run();
  expect(await estadoOf(pedido)).toMatchObject({ estado: 'pendiente_pago' });
  await closePage();
  await run();
  expect(await estadoOf(pedido)).toMatchObject({ estado: 'cancelado' });
});

it('an order is not cancelled before the deadline of its Stripe page', async () => {
  stripe.says.session = { expires_at: Math.floor(Date.now() / 1000) + 20 * 3600 };
  const pedido = await begun('stripe');
  const { vence_at, externo_id } = await world.db.selectFrom('pagos').selectAll().executeTakeFirstOrThrow();
  expect(Date.parse(vence_at ?? '')).toBeGreaterThan(Date.now() + 19 * 3_600_000);
  expect(externo_id).toMatch(/^cs_test_/);
  await run();
  expect(await estadoOf(pedido)).toMatchObject({ estado: 'pendiente_pago' });
});

it('Stripe is asked before an order is cancelled, so that an order paid without notification becomes paid', async () => {
  const pedido = await begun('stripe');
  await closePage();
  const { externo_id } = await world.db.selectFrom('pagos').select('externo_id').executeTakeFirstOrThrow();
  stripe.says.session = {
    id: externo_id,
    status: 'complete',
    payment_status: 'paid',
    amount_total: IMPORTE,
    currency: 'eur',
    metadata: { pedido: pedido.id },
  };
  await run();
  expect(stripe.asked.at(-1)?.path).toBe(`/v1/checkout/sessions/${externo_id}`);
  expect(await estadoOf(pedido)).toEqual({ estado: 'pendiente', pagado_cents: IMPORTE });
});

it('an unpaid order is cancelled only after Stripe has confirmed that its page expired', async () => {
  const pedido = await begun('stripe');
  await closePage();
  await run();
  expect(await estadoOf(pedido)).toMatchObject({ estado: 'pendiente_pago' });
  stripe.says.status = 500;
  await expect(run()).rejects.toThrow('could not be asked');
  expect(await estadoOf(pedido)).toMatchObject({ estado: 'pendiente_pago' });
  Object.assign(stripe.says, { status: 200, session: { status: 'expired' } });
  await run();
  expect(await estadoOf(pedido)).toMatchObject({ estado: 'cancelado' });
  expect(await world.db.selectFrom('pagos').select('estado').execute()).toEqual([{ estado: 'rechazado' }]);
});

it('an order paid in part is not cancelled', async () => {
  const pedido = await world.pedido({
    estado: 'pendiente_pago',
    precio_total_cents: IMPORTE,
    created_at: hours(-100),
    recordatorio_at: hours(-50),
  });
  await world.db
    .insertInto('pagos')
    .values({ pedido_id: pedido.id, proveedor: 'efectivo', referencia: '', importe_cents: 100, estado: 'pagado' })
    .execute();
  await run();
  expect(await estadoOf(pedido)).toEqual({ estado: 'pendiente_pago', pagado_cents: 100 });
});
