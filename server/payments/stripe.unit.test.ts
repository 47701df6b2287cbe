import Stripe from 'stripe';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startStripeSimulator } from '../../test/stripe-simulator.ts';
import type { DomainError } from '../kit/errors.ts';
import type { Unpaid } from './find.ts';
import { stripeProvider } from './stripe.ts';

const SECRET = 'whsec_enruta';
const simulator = await startStripeSimulator();
afterAll(() => simulator.close());
const gateway = await stripeProvider.open({ secretKey: 'sk_test_enruta', webhookSecret: SECRET, apiBase: simulator.url });
const { webhooks } = new Stripe('sk_test_enruta');

/** What a signed event of Stripe says of our payments. */
function messageOf(type: string, object: object) {
  const payload = JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } });
  return gateway.notified(Buffer.from(payload), { 'stripe-signature': webhooks.generateTestHeaderString({ payload, secret: SECRET }) });
}

const ORDER = '00000000-0000-4000-8000-000000000001';
const SESSION = {
  id: 'cs_1',
  object: 'checkout.session',
  metadata: { pedido: ORDER },
  amount_total: 4321,
  currency: 'eur',
  payment_status: 'paid',
  payment_intent: 'pi_1',
};
const PAID = {
  evento_id: 'evt_1',
  externo_id: 'cs_1',
  pedido: ORDER,
  importe_cents: 4321,
  moneda: 'EUR',
  paid: true,
  intento: 'pi_1',
};
const { intento: _, ...UNNAMED } = PAID;

describe('an event of Stripe about a session', () => {
  test.each<[string, object, unknown]>([
    ['pays', {}, PAID],
    ['pays by an expanded intent', { payment_intent: { id: 'pi_1' } }, PAID],
    ['pays without an intent', { payment_intent: null }, UNNAMED],
    ['pays, and says nothing of an intent', { payment_intent: undefined }, UNNAMED],
    ['pays without a currency', { currency: null }, { ...PAID, moneda: '' }],
    ['pays nothing yet', { payment_status: 'unpaid' }, undefined],
    ['pays for another program', { metadata: {} }, undefined],
    ['pays for no order of ours', { metadata: { pedido: 'x' } }, undefined],
  ])('%s', (_, fields, wanted) => {
    expect(messageOf('checkout.session.completed', { ...SESSION, ...fields })).toEqual(wanted);
    expect(messageOf('checkout.session.async_payment_succeeded', { ...SESSION, ...fields })).toEqual(wanted);
  });

  test('that expires, pays nothing', () => expect(messageOf('checkout.session.expired', SESSION)).toBeUndefined());
});

describe('an event of Stripe about money that went back', () => {
  const back = (kind: string, importe_cents: number, total: boolean) => ({
    evento_id: 'evt_1',
    back: kind,
    intento: 'pi_1',
    importe_cents,
    total,
    moneda: 'EUR',
  });
  const REFUND = { payment_intent: 'pi_1', amount: 4321, amount_refunded: 500, currency: 'eur' };
  const DISPUTE = { payment_intent: 'pi_1', amount: 4321, currency: 'eur', status: 'lost' };
  test.each<[string, object, unknown]>([
    ['charge.refunded', REFUND, back('reembolso', 500, true)],
    ['charge.refunded', { ...REFUND, payment_intent: null }, undefined],
    ['charge.dispute.created', DISPUTE, back('disputa', 4321, false)],
    ['charge.dispute.created', { ...DISPUTE, payment_intent: { id: 'pi_1' } }, back('disputa', 4321, false)],
    ['charge.dispute.created', { ...DISPUTE, payment_intent: null }, undefined],
    ['charge.dispute.closed', DISPUTE, back('disputa_perdida', 4321, false)],
    ['charge.dispute.closed', { ...DISPUTE, status: 'won' }, back('disputa_ganada', 4321, false)],
    ['charge.dispute.closed', { ...DISPUTE, status: 'warning_closed' }, back('disputa_ganada', 4321, false)],
    ['charge.dispute.updated', DISPUTE, undefined],
    ['charge.updated', REFUND, undefined],
  ])('%s', (type, object, wanted) => expect(messageOf(type, object)).toEqual(wanted));
});

test('an event without a signature is refused', () => {
  const refusal = () => gateway.notified(Buffer.from('{}'), {});
  expect(refusal).toThrow(expect.objectContaining<Partial<DomainError>>({ status: 400 }));
});

describe('a page of Stripe', () => {
  beforeEach(() => {
    simulator.asked.length = 0;
    simulator.says.session = {};
  });
  const pedido = { id: ORDER, version: 3, pendiente_cents: 4321, numero_orden: 'ORD-1', producto: 'Miel' } as Unpaid;
  const start = async () => {
    const opened: unknown[] = [];
    const page = await gateway.start({
      begin: async () => pedido,
      opened: async (...named) => void opened.push(named),
      token: 't',
      metodo: 'tarjeta',
      origin: 'https://x.es',
    });
    return { page, opened };
  };

  test('is asked for once a day and amount, and noted with the time at which it expires', async () => {
    simulator.says.session = { expires_at: 1_800_000_000 };
    const { page, opened } = await start();
    expect(page).toEqual({ url: 'https://checkout.stripe.test/c/1' });
    expect(opened).toEqual([[pedido, { externo_id: 'cs_test_1', vence_at: new Date(1_800_000_000_000) }]]);
    const [asked] = simulator.asked;
    expect(asked?.form).toMatchObject({ 'line_items[0][quantity]': '1', 'adaptive_pricing[enabled]': 'false' });
    expect(asked?.headers['idempotency-key']).toMatch(new RegExp(`^pago-${ORDER}-3-4321-\\d{4}-\\d{2}-\\d{2}$`));
  });

  test('expires within a day if Stripe says nothing else', async () => {
    const before = Date.now();
    const [[, { vence_at }] = [0, {}]] = (await start()).opened as [[Unpaid, { vence_at: Date }]];
    const day = 86_400_000;
    expect(vence_at).toBeInstanceOf(Date);
    expect(Number(vence_at)).toBeGreaterThanOrEqual(before + day - 1);
    expect(Number(vence_at)).toBeLessThanOrEqual(Date.now() + day);
  });

  test('without an address is told as an outage', async () => {
    simulator.says.session = { url: null };
    await expect(start()).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
  });

  test.each<[object, unknown]>([
    [{ status: 'open' }, 'open'],
    [{ status: 'expired' }, 'ended'],
    [{ status: 'complete' }, 'open'],
    [
      { ...SESSION, status: 'complete' },
      { ...PAID, evento_id: 'asked_cs_1' },
    ],
  ])('of a session %j', async (session, wanted) => {
    simulator.says.session = session;
    expect(await gateway.ask?.('cs_1')).toEqual(wanted);
  });

  test.each<[object[], unknown]>([
    [[SESSION], 'cs_1'],
    [[{ ...SESSION, metadata: {} }], undefined],
    [[{ ...SESSION, metadata: null }], undefined],
    [[], undefined],
  ])('is found by its intent among %j', async (data, wanted) => {
    simulator.says.session = { object: 'list', data };
    expect(await gateway.find?.('pi_1')).toBe(wanted);
    expect(simulator.asked[0]?.path).toBe('/v1/checkout/sessions?payment_intent=pi_1&limit=1');
  });
});
