import { updateSettings } from '../contract/settings.ts';
import { insideOf, REDSYS, redsysSays, STRIPE, stripeSays } from '../test/paying.ts';
import { startStripeSimulator } from '../test/stripe-simulator.ts';
import { type Arranger, arranger, connect, connectAs } from './api.ts';
import { expect, expectAccessible, SUPERADMIN, test } from './fixtures.ts';
import { type Server, startServer } from './server.ts';

/* Paying at once, with both providers set. They are played here: the pages by the browser's routes, their word by us. */

test.describe.configure({ mode: 'serial' });

let stripe: Awaited<ReturnType<typeof startStripeSimulator>>;
let shop: Server;
let api: Arranger;
test.beforeAll(async () => {
  test.setTimeout(180_000);
  stripe = await startStripeSimulator();
  shop = await startServer({ ...STRIPE, ...REDSYS, STRIPE_API_BASE: stripe.url });
  api = arranger(shop.url, await connectAs(shop.url, SUPERADMIN));
  const body = { companyName: 'Alacena S.L.', companyEmail: 'hola@alacena.test', companyIban: 'ES9121000418450200051332' };
  expect((await api.admin.call(updateSettings, { body })).status).toBe(200);
});
test.afterAll(async () => {
  await shop.stop();
  await stripe.close();
});

async function unpaid() {
  const reseller = await api.as(await api.user('revendedor'));
  const pedido = await api.pedido({ pack_id: (await api.pack({ pack_price: 43.21 })).id }, reseller);
  return { ...pedido, link: pedido.payment_link ?? '' };
}

test('by Stripe: the way there, the return that pays nothing, and the word that does', async ({ page }) => {
  const pedido = await unpaid();
  await page.route('https://checkout.stripe.test/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Stripe</title>' }),
  );
  await page.goto(pedido.link);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Pagar con tarjeta o Bizum' }).click();
  await page.waitForURL(/checkout\.stripe\.test/);
  expect(stripe.asked.at(-1)?.form).toMatchObject({ client_reference_id: pedido.id, success_url: `${pedido.link}?pago=ok` });

  await page.goto(`${pedido.link}?pago=ok`);
  await expect(page.getByRole('heading', { level: 1, name: 'Estamos confirmando tu pago' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pagar con tarjeta o Bizum' })).toBeHidden();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Volver a las formas de pago' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Paga tu pedido' })).toBeVisible();
  await page.goto(`${pedido.link}?pago=ok`);
  await expect(page.getByRole('heading', { level: 1, name: 'Estamos confirmando tu pago' })).toBeVisible();

  expect((await stripeSays(connect(shop.url), { id: `evt_${pedido.id}`, pedido: pedido.id, importe: 4321 })).status).toBe(200);
  await expect(page.getByRole('heading', { level: 1, name: 'Pago recibido' })).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole('region', { name: 'Pago al momento' })).toBeHidden();
});

for (const [button, method] of [
  ['Pagar con tarjeta', 'C'],
  ['Pagar con Bizum', 'z'],
] as const) {
  test(`by Redsys: «${button}» posts a signed form to the bank`, async ({ page }) => {
    const pedido = await unpaid();
    let posted = new URLSearchParams();
    await page.route('https://sis-t.redsys.es:25443/**', (route) => {
      posted = new URLSearchParams(route.request().postData() ?? '');
      return route.fulfill({ contentType: 'text/html', body: '<title>Redsys</title>' });
    });
    await page.goto(pedido.link);
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.waitForURL(/redsys\.es/);
    const inside = insideOf(posted.get('Ds_MerchantParameters') ?? '');
    expect(inside).toMatchObject({ DS_MERCHANT_AMOUNT: '4321', DS_MERCHANT_PAYMETHODS: method });

    await page.goto(`${pedido.link}?pago=ko`);
    await expect(page.getByText('El pago no se ha completado')).toBeVisible();
    await expect(page.getByRole('button', { name: button, exact: true })).toBeEnabled();
    await redsysSays(connect(shop.url), { order: inside.DS_MERCHANT_ORDER ?? '', importe: 4321 });
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'Pago recibido' })).toBeVisible();
    await expect(page.getByText('El pago no se ha completado')).toBeHidden();
  });
}

test('a try that the bank refuses is said also to whoever is waiting for its word, who may try again', async ({ page }) => {
  const pedido = await unpaid();
  await page.route('https://sis-t.redsys.es:25443/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Redsys</title>' }),
  );
  await page.goto(pedido.link);
  // What is done at once comes before what takes a day.
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([/Pago al momento/, /Transferencia bancaria/, /.*/, /.*/, /.*/]);
  const posted = page.waitForRequest(/redsys\.es/);
  await page.getByRole('button', { name: 'Pagar con tarjeta', exact: true }).click();
  const order = insideOf(new URLSearchParams((await posted).postData() ?? '').get('Ds_MerchantParameters') ?? '').DS_MERCHANT_ORDER ?? '';
  await page.goto(`${pedido.link}?pago=ok`);
  await expect(page.getByRole('heading', { level: 1, name: 'Estamos confirmando tu pago' })).toBeVisible();
  await redsysSays(connect(shop.url), { order, importe: 4321, response: '0190' });
  await expect(page.getByText('El pago no se ha completado')).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole('button', { name: 'Pagar con tarjeta', exact: true })).toBeEnabled();
});

test('«Ya he hecho la transferencia» is said once and stays said', async ({ page }) => {
  const pedido = await unpaid();
  await page.goto(pedido.link);
  await page.getByRole('button', { name: 'Ya he hecho la transferencia' }).click();
  const said = page.getByText('Nos has dicho que ya has hecho la transferencia. Alacena S.L. comprobará que ha llegado.');
  await expect(said).toBeVisible();
  await page.reload();
  await expect(said).toBeVisible();
  await expect(page.getByRole('button', { name: 'Ya he hecho la transferencia' })).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: 'Paga tu pedido' })).toBeVisible();
});

test('when the provider is away it says so, and the way stays open', async ({ page, allowErrors }) => {
  allowErrors(/status of 503 .*\/stripe/);
  const pedido = await unpaid();
  stripe.says.status = 500;
  await page.goto(pedido.link);
  await page.getByRole('button', { name: 'Pagar con tarjeta o Bizum' }).click();
  await expect(page.getByText('La pasarela de pago no responde. Inténtalo de nuevo o paga por transferencia.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pagar con tarjeta o Bizum' })).toBeEnabled();
  stripe.says.status = 200;
});
