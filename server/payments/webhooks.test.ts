import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getPago, startPago } from '../../contract/pagar/pagar.ts';
import { insideOf, REDSYS, redsysSays, STRIPE, stripeSays } from '../../test/paying.ts';
import { startStripeSimulator } from '../../test/stripe-simulator.ts';
import { createWorld, type World } from '../../test/world.ts';
import { isGenuine } from './redsys-signature.ts';

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
  stripe.asked.length = 0;
  stripe.says.status = 200;
});

const IMPORTE = 4321;
const unpaid = async (fields: Parameters<World['pedido']>[0] = {}) => {
  const row = await world.pedido({ estado: 'pendiente_pago', precio_total_cents: IMPORTE, ...fields });
  return { ...row, params: { token: row.pago_token ?? '' } };
};
const estadoOf = async (id: string) =>
  (await world.db.selectFrom('pedidos').select('estado').where('id', '=', id).executeTakeFirstOrThrow()).estado;
const pagos = (id: string) =>
  world.db
    .selectFrom('pagos')
    .select(['proveedor', 'estado', 'importe_cents', 'externo_id'])
    .where('pedido_id', '=', id)
    .orderBy('created_at')
    .execute();
const outcomes = async () =>
  (await world.db.selectFrom('payment_events').select('resultado').orderBy('resultado').execute()).map((e) => e.resultado);

it('the payment page offers each provider’s methods if the amount is large enough', async () => {
  const offered = async (fields: Parameters<typeof unpaid>[0]) => {
    const { body } = await world.nobody().call(getPago, { params: (await unpaid(fields)).params });
    return body.data.metodos;
  };
  expect(await offered({ precio_total_cents: 50 })).toEqual({
    stripe: [{ id: 'tarjeta', label: 'Pagar con tarjeta o Bizum' }],
    redsys: [
      { id: 'tarjeta', label: 'Pagar con tarjeta' },
      { id: 'bizum', label: 'Pagar con Bizum' },
    ],
  });
  expect(await offered({ precio_total_cents: 49 })).toEqual({ stripe: false, redsys: false });
});

it('unknown providers and methods are refused', async () => {
  const { params } = await unpaid();
  const start = async (proveedor: string, body?: { metodo?: string }) =>
    (await world.nobody().call(startPago, { params: { ...params, proveedor }, ...(body && { body }) })).status;
  expect(await start('paypal', { metodo: 'tarjeta' })).toBe(404);
  expect(await start('__proto__')).toBe(404);
  expect(await start('redsys')).toBe(422);
  expect(await start('redsys', { metodo: 'cheque' })).toBe(422);
  expect(await start('stripe', { metodo: 'bizum' })).toBe(422);
  expect((await world.nobody().request('POST', '/api/webhooks/paypal', { body: {}, xsrf: false })).status).toBe(404);
});

it.each(['stripe', 'redsys'])('at most twenty payments by %s can be begun per order and hour', async (proveedor) => {
  const pedido = await unpaid();
  const start = ({ params }: typeof pedido) =>
    world.nobody().call(startPago, { params: { ...params, proveedor }, body: { metodo: 'tarjeta' } });
  for (let i = 0; i < 20; i += 1) expect((await start(pedido)).status).toBe(200);
  const { status, headers } = await start(pedido);
  expect([status, headers['retry-after']]).toEqual([429, '3600']);
  expect((await start(await unpaid())).status).toBe(200);
});

describe('Stripe', () => {
  it('a Stripe page is requested for the order’s amount, with the same idempotency key when requested again', async () => {
    const pedido = await unpaid();
    const { status, body } = await world.nobody().call(startPago, { params: { ...pedido.params, proveedor: 'stripe' } });
    expect([status, body]).toEqual([200, { url: 'https://checkout.stripe.test/c/1' }]);
    await world.nobody().call(startPago, { params: { ...pedido.params, proveedor: 'stripe' } });
    const [asked, again] = stripe.asked;
    expect(asked?.path).toBe('/v1/checkout/sessions');
    expect(asked?.form).toMatchObject({
      mode: 'payment',
      'line_items[0][price_data][currency]': 'eur',
      'line_items[0][price_data][unit_amount]': String(IMPORTE),
      'line_items[0][quantity]': '1',
      'allowed_payment_method_types[0]': 'card',
      'allowed_payment_method_types[1]': 'bizum',
      client_reference_id: pedido.id,
      success_url: `http://pedidos.test/pagar/${pedido.params.token}?pago=ok`,
      cancel_url: `http://pedidos.test/pagar/${pedido.params.token}`,
    });
    expect(asked?.headers.authorization).toBe('Bearer sk_test_enruta');
    expect(asked?.headers['idempotency-key']).toBe(again?.headers['idempotency-key']);
    expect(await estadoOf(pedido.id)).toBe('pendiente_pago');
  });

  it('Stripe is not asked to open a page for a cancelled order or a guessed token', async () => {
    const pedido = await unpaid({ estado: 'cancelado' });
    expect((await world.nobody().call(startPago, { params: { ...pedido.params, proveedor: 'stripe' } })).status).toBe(409);
    expect((await world.nobody().call(startPago, { params: { token: 'x', proveedor: 'stripe' } })).status).toBe(404);
    expect(stripe.asked).toEqual([]);
  });

  it('an outage of Stripe is answered with a readable message and a time to retry', async () => {
    stripe.says.status = 500;
    const { status, body, headers, text } = await world
      .nobody()
      .call(startPago, { params: { ...(await unpaid()).params, proveedor: 'stripe' } });
    expect([status, body.message]).toEqual([503, 'La pasarela de pago no responde. Inténtalo de nuevo o paga por transferencia.']);
    expect(headers['retry-after']).toBe('30');
    expect(text).not.toContain('operator');
  });

  it.each(['checkout.session.completed', 'checkout.session.async_payment_succeeded'])('Stripe’s %s pays the order once', async (type) => {
    const pedido = await unpaid();
    const event = { id: 'evt_1', pedido: pedido.id, importe: IMPORTE, type };
    expect((await stripeSays(world.nobody(), event)).body).toEqual({ received: true });
    expect((await stripeSays(world.nobody(), event)).status).toBe(200);
    // A second event about the same session, as when its payment follows its completion.
    expect((await stripeSays(world.nobody(), { ...event, id: 'evt_2', session: 'cs_evt_1' })).status).toBe(200);
    expect(await estadoOf(pedido.id)).toBe('pendiente');
    expect(await pagos(pedido.id)).toEqual([{ proveedor: 'stripe', estado: 'pagado', importe_cents: IMPORTE, externo_id: 'cs_evt_1' }]);
    expect(await outcomes()).toEqual(['pagado', 'repetido']);
    expect((await world.nobody().call(getPago, { params: pedido.params })).body.data).toMatchObject({
      estado: 'pendiente',
      metodos: { stripe: false, redsys: false },
    });
  });

  it.each([
    ['a completed but unpaid session', { status: 'unpaid' }],
    ['an event of another kind', { type: 'customer.created' }],
  ])('a Stripe event about %s is acknowledged and ignored', async (_, fields) => {
    const pedido = await unpaid();
    expect((await stripeSays(world.nobody(), { id: 'evt_1', pedido: pedido.id, importe: IMPORTE, ...fields })).status).toBe(200);
    expect(await estadoOf(pedido.id)).toBe('pendiente_pago');
    expect(await outcomes()).toEqual([]);
  });

  it.each([
    ['signed with a wrong secret', { secret: 'whsec_otro' }],
    ['older than five minutes', { timestamp: Math.floor(Date.now() / 1000) - 301 }],
    ['changed on its way', { tamper: (payload: string) => payload.replace('"evt_1"', '"evt_9"') }],
    ['not JSON', { tamper: () => 'hola' }],
  ])('a Stripe event that is %s is refused and not recorded', async (_, forgery) => {
    const pedido = await unpaid();
    const { status, body } = await stripeSays(world.nobody(), { id: 'evt_1', pedido: pedido.id, importe: IMPORTE }, forgery);
    expect([status, body]).toEqual([400, { message: 'La firma no es válida', code: 'signature_invalid' }]);
    expect(await estadoOf(pedido.id)).toBe('pendiente_pago');
    expect(await outcomes()).toEqual([]);
  });

  it.each([
    ['a wrong amount', { importe: IMPORTE - 1 }, 'importe'],
    ['a wrong currency', { moneda: 'usd' }, 'moneda'],
    ['an order that does not exist', { pedido: '00000000-0000-4000-8000-000000000000' }, 'desconocido'],
  ])('a genuine Stripe event with %s is acknowledged and recorded once, but pays nothing', async (_, fields, resultado) => {
    const pedido = await unpaid();
    const event = { id: 'evt_1', pedido: pedido.id, importe: IMPORTE, ...fields };
    // Stripe retries a refused event for days and then disables the endpoint.
    for (const again of [event, event, { ...event, id: 'evt_2', session: 'cs_evt_1' }])
      expect((await stripeSays(world.nobody(), again)).status).toBe(200);
    expect(await estadoOf(pedido.id)).toBe('pendiente_pago');
    expect(await pagos(pedido.id)).toEqual([]);
    expect(await outcomes()).toEqual([resultado, 'repetido']);
  });

  it.each([
    ['no order', { pedido: null }],
    ['an invalid order id', { pedido: "1' OR 1=1" }],
  ])('a Stripe session of another shop, with %s, is acknowledged but not recorded', async (_, fields) => {
    expect((await stripeSays(world.nobody(), { id: 'evt_1', importe: IMPORTE, ...fields })).status).toBe(200);
    expect(await outcomes()).toEqual([]);
  });
});

describe('Redsys', () => {
  const start = async (pedido: Awaited<ReturnType<typeof unpaid>>, metodo = 'tarjeta') => {
    const { status, body } = await world.nobody().call(startPago, { params: { ...pedido.params, proveedor: 'redsys' }, body: { metodo } });
    expect(status).toBe(200);
    const { Ds_SignatureVersion = '', Ds_MerchantParameters = '', Ds_Signature = '' } = body.fields ?? {};
    const inside = insideOf(Ds_MerchantParameters);
    return { ...body, fields: { Ds_SignatureVersion, Ds_MerchantParameters, Ds_Signature }, order: inside.DS_MERCHANT_ORDER ?? '' };
  };

  it.each([
    ['tarjeta', 'C'],
    ['bizum', 'z'],
  ] as const)('a Redsys payment by %s starts with a signed form and a new order number each time', async (metodo, code) => {
    const pedido = await unpaid();
    const { url, fields, order } = await start(pedido, metodo);
    expect(url).toBe('https://sis-t.redsys.es:25443/sis/realizarPago');
    expect(order).toMatch(/^\d{4}[0-9A-Z]{8}$/);
    expect(insideOf(fields.Ds_MerchantParameters)).toMatchObject({
      DS_MERCHANT_AMOUNT: String(IMPORTE),
      DS_MERCHANT_CURRENCY: '978',
      DS_MERCHANT_TRANSACTIONTYPE: '0',
      DS_MERCHANT_MERCHANTCODE: '999008881',
      DS_MERCHANT_TERMINAL: '1',
      DS_MERCHANT_PAYMETHODS: code,
      DS_MERCHANT_MERCHANTURL: 'http://pedidos.test/api/webhooks/redsys',
      DS_MERCHANT_URLOK: `http://pedidos.test/pagar/${pedido.params.token}?pago=ok`,
      DS_MERCHANT_URLKO: `http://pedidos.test/pagar/${pedido.params.token}?pago=ko`,
    });
    expect(isGenuine(REDSYS.REDSYS_SECRET_KEY, fields.Ds_SignatureVersion, order, fields.Ds_MerchantParameters, fields.Ds_Signature)).toBe(
      true,
    );
    expect((await start(pedido)).order).not.toBe(order);
  });

  it.each(['0000', '0099', '99'])('the Redsys response %s pays the order once', async (response) => {
    const pedido = await unpaid();
    const { order } = await start(pedido);
    expect((await redsysSays(world.nobody(), { order, importe: IMPORTE, response })).body).toEqual({ received: true });
    expect((await redsysSays(world.nobody(), { order, importe: IMPORTE, response })).status).toBe(200);
    expect(await estadoOf(pedido.id)).toBe('pendiente');
    expect(await pagos(pedido.id)).toEqual([{ proveedor: 'redsys', estado: 'pagado', importe_cents: IMPORTE, externo_id: order }]);
  });

  it.each([
    ['0100', '0'],
    ['0190', '0'],
    ['9915', '0'],
    ['0000', '1'],
  ])('the Redsys response %s to a transaction of type %s does not pay the order, but a later response can', async (response, type) => {
    const pedido = await unpaid();
    const { order } = await start(pedido);
    expect((await redsysSays(world.nobody(), { order, importe: IMPORTE, response, type })).status).toBe(200);
    expect(await pagos(pedido.id)).toMatchObject([{ estado: 'rechazado' }]);
    expect(await estadoOf(pedido.id)).toBe('pendiente_pago');
    await redsysSays(world.nobody(), { order, importe: IMPORTE });
    // The first attempt is refused again, after the payment.
    await redsysSays(world.nobody(), { order, importe: IMPORTE, response: '0101' });
    expect(await pagos(pedido.id)).toMatchObject([{ estado: 'pagado' }]);
    expect(await estadoOf(pedido.id)).toBe('pendiente');
  });

  it.each([
    ['signed with a wrong secret', { secret: 'another secret of 24 chars' }, 400],
    ['of another shop', { code: '123456789' }, 400],
    ['of an order we never sent', { order: '0000NUNCA' }, 200],
    ['with a wrong amount', { importe: 1 }, 200],
    ['in a wrong currency', { moneda: '840' }, 200],
  ])('a Redsys notification %s pays nothing', async (_, fields, status) => {
    const pedido = await unpaid();
    const { order } = await start(pedido);
    expect((await redsysSays(world.nobody(), { order, importe: IMPORTE, ...fields })).status).toBe(status);
    expect(await estadoOf(pedido.id)).toBe('pendiente_pago');
    expect(await outcomes()).toHaveLength(status === 200 ? 1 : 0);
  });

  it('malformed notifications are refused', async () => {
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, xsrf: false };
    const post = async (body: string, more = form) =>
      (await world.nobody().request('POST', '/api/webhooks/redsys', { ...more, body })).status;
    expect(await post('')).toBe(422);
    expect(await post('Ds_SignatureVersion=HMAC_SHA512_V2&Ds_MerchantParameters=bnVsbA&Ds_Signature=AA')).toBe(400);
    expect(await post('Ds_SignatureVersion=HMAC_SHA512_V2&Ds_MerchantParameters=%7B&Ds_Signature=AA')).toBe(400);
    expect(await post('{}', { headers: { 'content-type': 'application/json' }, xsrf: false })).toBe(415);
  });

  it('the content security policy lets forms be posted only to the shop and the bank', async () => {
    const { headers } = await world.nobody().request('GET', '/healthz');
    expect(headers['content-security-policy']).toContain("form-action 'self' https://sis-t.redsys.es:25443;");
  });
});
