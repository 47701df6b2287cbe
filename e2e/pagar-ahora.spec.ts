import { updateSettings } from '../contract/settings/settings.ts';
import { insideOf, REDSYS, redsysSays, STRIPE, stripeSays } from '../test/paying.ts';
import { startStripeSimulator } from '../test/stripe-simulator.ts';
import { expectAccessible } from './accessible.ts';
import { type Arranger, arranger, connect, connectAs } from './api.ts';
import { expect, SUPERADMIN, test } from './fixtures.ts';
import { type Server, startServer } from './server.ts';

// A server of its own ends, and a reused context would return to it.
test.use({ reuseContext: false });

/*
 * Online payment with both providers configured. Browser routes fake the providers' pages, and the tests send the providers'
 * notifications. The texts of the payment page are tested in web/pagar/page.browser.test.tsx.
 */

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
  await api.prove();
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

test('the return from Stripe does not mark an order as paid, but Stripe’s notification does', async ({ page }) => {
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
  expect((await stripeSays(connect(shop.url), { id: `evt_${pedido.id}`, pedido: pedido.id, importe: 4321 })).status).toBe(200);
  await expect(page.getByRole('heading', { level: 1, name: 'Pago recibido' })).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole('region', { name: 'Pago al momento' })).toBeHidden();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a customer pays by card at Stripe, and by Bizum at the bank', async ({ page }) => {
    const pedido = await unpaid();
    await page.route('https://checkout.stripe.test/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Stripe</title>' }),
    );
    await page.goto(pedido.link);
    await page.getByRole('button', { name: 'Pagar con tarjeta o Bizum' }).click();
    await page.waitForURL(/checkout\.stripe\.test/);

    let posted = new URLSearchParams();
    await page.route('https://sis-t.redsys.es:25443/**', (route) => {
      posted = new URLSearchParams(route.request().postData() ?? '');
      return route.fulfill({ contentType: 'text/html', body: '<title>Redsys</title>' });
    });
    await page.goto(pedido.link);
    await page.getByRole('button', { name: 'Pagar con Bizum' }).click();
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.waitForURL(/redsys\.es/);
    const { DS_MERCHANT_ORDER = '' } = insideOf(posted.get('Ds_MerchantParameters') ?? '');
    await page.goto(`${pedido.link}?pago=ok`);
    await expect(page.getByRole('heading', { level: 1, name: 'Estamos confirmando tu pago' })).toBeVisible();
    await redsysSays(connect(shop.url), { order: DS_MERCHANT_ORDER, importe: 4321 });
    // The page refreshes itself.
    await expect(page.getByRole('heading', { level: 1, name: 'Pago recibido' })).toBeVisible({ timeout: 30_000 });
  });
});

test('a second attempt through Redsys pays an order after the bank refused the first attempt', async ({ page }) => {
  const pedido = await unpaid();
  let posted = new URLSearchParams();
  await page.route('https://sis-t.redsys.es:25443/**', (route) => {
    posted = new URLSearchParams(route.request().postData() ?? '');
    return route.fulfill({ contentType: 'text/html', body: '<title>Redsys</title>' });
  });
  const pay = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).click();
    await page.waitForURL(/redsys\.es/);
    return insideOf(posted.get('Ds_MerchantParameters') ?? '');
  };
  await page.goto(pedido.link);
  const first = await pay('Pagar con tarjeta');
  expect(first).toMatchObject({ DS_MERCHANT_AMOUNT: '4321', DS_MERCHANT_PAYMETHODS: 'C' });
  await page.goto(`${pedido.link}?pago=ok`);
  await expect(page.getByRole('heading', { level: 1, name: 'Estamos confirmando tu pago' })).toBeVisible();
  await redsysSays(connect(shop.url), { order: first.DS_MERCHANT_ORDER ?? '', importe: 4321, response: '0190' });
  await expect(page.getByText('El pago no se ha completado')).toBeVisible({ timeout: 15_000 });

  const second = await pay('Pagar con Bizum');
  expect(second).toMatchObject({ DS_MERCHANT_AMOUNT: '4321', DS_MERCHANT_PAYMETHODS: 'z' });
  await redsysSays(connect(shop.url), { order: second.DS_MERCHANT_ORDER ?? '', importe: 4321 });
  await page.goto(`${pedido.link}?pago=ok`);
  await expect(page.getByRole('heading', { level: 1, name: 'Pago recibido' })).toBeVisible();
});

test('a payment of the wrong amount is reviewed from the dashboard and counts for its order', async ({ page }) => {
  const pedido = await unpaid();
  const { status } = await stripeSays(connect(shop.url), { id: 'evt_1', session: 'cs_de_menos', pedido: pedido.id, importe: 4000 });
  expect(status).toBe(200);
  await page.goto(`${shop.url}/auth`);
  await page.getByLabel('Email o usuario').fill(SUPERADMIN.email);
  await page.getByLabel('Contraseña', { exact: true }).fill(SUPERADMIN.password);
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await page.getByRole('link', { name: /^Pagos por revisar 1$/ }).click();
  await page.getByRole('button', { name: 'Revisar el pago cs_de_menos' }).click();
  const review = page.getByRole('dialog', { name: 'Revisar pago' });
  await expect(review.getByLabel('Importe que cuenta (€)')).toHaveValue('40,00');
  await review.getByLabel('Motivo').fill('Descuento acordado por teléfono');
  await review.getByRole('button', { name: 'Guardar' }).click();
  await expect(page.getByText('No hay pagos por revisar')).toBeVisible();

  await page.goto(pedido.link);
  await expect(page.getByRole('heading', { level: 1, name: 'Paga tu pedido' })).toBeVisible();
  await expect(page.getByText('3,21 €', { exact: true })).toBeVisible();
});
