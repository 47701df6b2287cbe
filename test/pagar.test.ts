import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { setEstado } from '../contract/pedidos/pedidos.ts';
import { updateSettings } from '../contract/settings/settings.ts';
import { DRAWN } from '../server/payments/page.ts';
import { renderPage } from '../web/pagar/page.tsx';
import { insideOf, REDSYS, redsysSays, STRIPE } from './paying.ts';
import { startStripeSimulator } from './stripe-simulator.ts';
import { createWorld, type World } from './world.ts';

/* The customer's page over HTTP, without JavaScript: its status, its headers, and each of its forms. */

let world: World;
let stripe: Awaited<ReturnType<typeof startStripeSimulator>>;
beforeAll(async () => {
  DRAWN.render = async () => renderPage;
  DRAWN.script = () => '/assets/start.js';
  stripe = await startStripeSimulator();
  world = await createWorld({ ...STRIPE, ...REDSYS, STRIPE_API_BASE: stripe.url, LOG_LEVEL: 'silent' });
  return async () => {
    await world.close();
    await stripe.close();
  };
});
beforeEach(async () => {
  await world.reset();
  const body = { companyName: 'Alacena S.L.', companyIban: 'ES9121000418450200051332', primaryColor: '#a02c5a' };
  expect((await (await world.as('superadmin')).call(updateSettings, { body })).status).toBe(200);
});

const IMPORTE = 4321;
async function order(fields: Parameters<World['pedido']>[0] = {}) {
  const row = await world.pedido({ estado: 'pendiente_pago', precio_total_cents: IMPORTE, ...fields });
  return { ...row, path: `/pagar/${row.pago_token}` };
}
const get = (path: string) => world.nobody().request('GET', path);
const textOf = (html: string) =>
  html
    .replace(/<(style|script)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
const keyOf = (html: string) => html.match(/name="clave" value="([^"]+)"/)?.[1] ?? '';
/** Sends a form of the page as a browser without JavaScript does. */
function post(path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  const type = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  return world
    .nobody()
    .request('POST', path, { body: new URLSearchParams(form).toString(), headers: { ...type, ...headers }, xsrf: false });
}
/** Presses the button of an act on the page as it is now. */
const press = async (path: string, act: string, form: Record<string, string> = {}) =>
  post(`${path}/${act}`, { clave: keyOf((await get(path)).text), ...form });
const history = (id: string) => world.db.selectFrom('pedidos_historial').select('accion').where('pedido_id', '=', id).execute();

describe('the page', () => {
  it('says amount, ways to pay and lines, in the shop’s name and colour', async () => {
    const { path, numero_orden } = await order();
    const { status, text } = await get(path);
    expect(status).toBe(200);
    for (const words of [
      'Alacena S.L.',
      'Paga tu pedido',
      '43,21 €',
      numero_orden,
      'Pagar con Bizum',
      'ES91 2100 0418 4502 0005 1332',
      'Cómo va tu pedido',
    ])
      expect(textOf(text)).toContain(words);
    expect(text).not.toContain('#3b82f6');
    expect(text).toMatch(/--accent:#[0-9a-f]{6}/);
  });

  it('is private, runs no script but its own, and styles nothing but by its own sheet', async () => {
    const { headers, text } = await get((await order()).path);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex', 'referrer-policy': 'same-origin' });
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/default-src 'none'; script-src 'self'; style-src 'sha256-[^']+'; /);
    expect(policy).toContain("form-action 'self' https://sis-t.redsys.es:25443");
    expect(policy).not.toContain('unsafe');
    expect(text.match(/<script[^>]*>[^<]*/g)).toEqual([expect.stringMatching(/ src="[^"]+">$/)]);
    expect(text).not.toMatch(/ style=| on\w+=/);
  });

  it('is compressed also for a link that another site opens', async () => {
    const { path } = await order();
    const { headers } = await world.nobody().request('GET', path, { headers: { 'accept-encoding': 'br', 'sec-fetch-site': 'cross-site' } });
    expect(headers['content-encoding']).toBe('br');
  });

  it('says with its status that a link is unknown, or its order cancelled or deleted', async () => {
    for (const address of ['%00', 'x'.repeat(150), 'a%2Fb', '..%2Fauth'])
      expect([address, (await get(`/pagar/${address}`)).status]).toEqual([address, 404]);
    const unknown = await get('/pagar/no-existe');
    expect([unknown.status, textOf(unknown.text)]).toEqual([404, expect.stringContaining('No encontramos este pedido')]);
    expect(unknown.text).toContain('Alacena S.L.');
    const cancelled = await get((await order({ estado: 'cancelado' })).path);
    expect([cancelled.status, textOf(cancelled.text)]).toEqual([410, expect.stringContaining('Pedido cancelado')]);
    const deleted = await get((await order({ deleted_at: new Date().toISOString() })).path);
    expect(deleted.status).toBe(404);
  });

  it('has the QR code as a picture, of nothing that is not to be paid by transfer', async () => {
    const { path } = await order();
    const { status, headers, text } = await get(`${path}/qr.png`);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'image/png', 'no-store']);
    expect(text.length).toBeGreaterThan(500);
    const cancelled = await order({ estado: 'cancelado' });
    expect((await get(`${cancelled.path}/qr.png`)).status).toBe(404);
  });
});

describe('its forms', () => {
  it('«Ya he hecho la transferencia» leads back to the page, which says so first', async () => {
    const { path, id } = await order();
    const clave = keyOf((await get(path)).text);
    const replies = await Promise.all([post(`${path}/transferencia`, { clave }), post(`${path}/transferencia`, { clave })]);
    expect(replies.map(({ status, headers }) => [status, headers.location])).toEqual([
      [303, path],
      [303, path],
    ]);
    expect(await world.db.selectFrom('notifications').select('id').where('pedido_id', '=', id).execute()).toHaveLength(1);
    expect(textOf((await get(path)).text)).toMatch(/Esperamos tu transferencia Nos has dicho que ya has hecho la transferencia\. Alacena/);
  });

  it('a double click asks for another day once, and the page shows the error of a missing or wrong day and keeps the typed note', async () => {
    const { path, id } = await order({ estado: 'asignado' });
    const page = await get(path);
    const [dia = ''] = [...page.text.matchAll(/name="dia" value="([^"]+)"/g)].map(([, day]) => day);
    for (const [wrong, words] of [
      ['', 'Elige un día'],
      ['2020-01-01', 'Elige uno de los próximos días de reparto'],
      ['mañana', 'Fecha no válida'],
    ] as const) {
      const { status, text } = await press(path, 'aplazar', { dia: wrong, nota: 'Toca el timbre' });
      expect([wrong, status, textOf(text)]).toEqual([wrong, 422, expect.stringContaining(words)]);
      expect(text).toMatch(/<details class="stack" open="">[\s\S]*Toca el timbre<\/textarea>/);
    }
    const form = { clave: keyOf(page.text), dia, nota: 'Por la tarde' };
    const [first, second] = await Promise.all([post(`${path}/aplazar`, form), post(`${path}/aplazar`, form)]);
    expect([first?.status, second?.status, first?.headers.location]).toEqual([303, 303, `${path}#aplazar`]);
    expect((await history(id)).filter(({ accion }) => accion === 'El cliente pide otro día')).toHaveLength(1);
    expect(textOf((await get(path)).text)).toMatch(/Se lo hemos dicho al transportista: Entregar el .*Por la tarde/);
  });

  it('a way to pay leads to the provider’s page: by address, or by a signed form', async () => {
    const { path } = await order();
    const byStripe = await press(path, 'pago', { metodo: 'stripe.tarjeta' });
    expect([byStripe.status, byStripe.text]).toEqual([200, expect.stringContaining('content="0;url=https://checkout.stripe.test/c/')]);
    const clave = keyOf((await get(path)).text);
    const twice = await Promise.all([0, 1].map(() => post(`${path}/pago`, { clave, metodo: 'redsys.bizum' })));
    const [order1, order2] = twice.map(
      ({ text }) => insideOf(text.match(/name="Ds_MerchantParameters" value="([^"]+)"/)?.[1] ?? '').DS_MERCHANT_ORDER,
    );
    expect(order1).toMatch(/\w{4,12}/);
    expect(order2).toBe(order1);
    await redsysSays(world.nobody(), { order: order1 ?? '', importe: IMPORTE });
    expect(textOf((await get(`${path}?pago=ok`)).text)).toContain('Pago recibido');
    const late = await press(path, 'pago', { metodo: 'redsys.bizum' });
    expect([late.status, textOf(late.text)]).toEqual([409, expect.stringContaining('Este pedido ya no está pendiente de pago')]);
  });

  it('the page reports an outage of the provider and a missing way to pay', async () => {
    const { path } = await order();
    stripe.says.status = 500;
    const away = await press(path, 'pago', { metodo: 'stripe.tarjeta' });
    stripe.says.status = 200;
    expect([away.status, textOf(away.text)]).toEqual([503, expect.stringContaining('La pasarela de pago no responde.')]);
    const none = await press(path, 'pago');
    expect([none.status, textOf(none.text)]).toEqual([422, expect.stringContaining('Elige cómo quieres pagar')]);
    expect((await press(path, 'pago', { metodo: 'otra.cosa' })).status).toBe(404);
    const odd = { clave: 'x'.repeat(20_000), metodo: `\0${'y'.repeat(20_000)}` };
    expect((await post(`${path}/pago`, odd)).status).toBe(404);
    expect((await post(`${path}/aplazar`, { ...odd, dia: '\0' })).status).toBe(422);
    expect((await press(path, 'nada')).status).toBe(404);
    expect((await press(path, 'simular')).status).toBe(404);
  });

  it.each(['cross-site', 'same-site', 'none'])('a form that a %s page sends does nothing', async (from) => {
    const { path, id } = await order();
    const { status, text } = await post(`${path}/transferencia`, { clave: 'x'.repeat(20) }, { 'sec-fetch-site': from });
    expect([status, textOf(text)]).toEqual([403, expect.stringContaining('solo se puede hacer desde la página del pedido')]);
    expect(await world.db.selectFrom('notifications').select('id').where('pedido_id', '=', id).execute()).toEqual([]);
  });

  it.each([
    ['Origin', 403, { origin: 'https://malo.example' }],
    ['Origin', 403, { origin: 'null' }],
    ['Origin', 403, { origin: 'http://tienda.example:81' }],
    ['Referer', 403, { referer: 'https://malo.example/pagar' }],
    ['Origin', 303, { origin: 'http://tienda.example' }],
    ['Referer', 303, { referer: 'http://tienda.example/pagar/x' }],
    ['no header', 303, {}],
  ])('a form of an old browser, which sends %s, answers %i (%j)', async (_name, expected, headers) => {
    const { path } = await order();
    const clave = keyOf((await get(path)).text);
    const type = { 'content-type': 'application/x-www-form-urlencoded', host: 'tienda.example' };
    const sent = { body: new URLSearchParams({ clave }).toString(), headers: { ...type, ...headers }, xsrf: false };
    expect((await world.nobody().request('POST', `${path}/transferencia`, sent)).status).toBe(expected);
  });

  it('a form of an unknown link, or of an order cancelled meanwhile, says so', async () => {
    const { path, id } = await order();
    const clave = keyOf((await get(path)).text);
    expect((await (await world.as('superadmin')).call(setEstado, { params: { id }, body: { estado: 'cancelado' } })).status).toBe(200);
    const { status, text } = await post(`${path}/transferencia`, { clave });
    expect([status, textOf(text)]).toEqual([409, expect.stringContaining('Pedido cancelado')]);
    expect(textOf(text)).toContain('Este pedido ya no está pendiente de pago');
    expect((await post('/pagar/no-existe/transferencia', { clave })).status).toBe(404);
  });
});

it('the page reports a failure of the server', async () => {
  const { path } = await order();
  vi.spyOn(world.db, 'selectFrom').mockImplementation(() => {
    throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  });
  const { status, text } = await get(path);
  expect([status, textOf(text)]).toEqual([503, expect.stringContaining('No se pudo cargar el pedido')]);
  expect(textOf(text)).toContain('El servicio no está disponible en este momento.');
});
