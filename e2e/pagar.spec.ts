import type { Page } from '@playwright/test';
import type { EstadoInput } from '../contract/pedidos/pedidos.ts';
import { setEstado } from '../contract/pedidos/pedidos.ts';
import { updateSettings } from '../contract/settings/settings.ts';
import { autoAsignar } from '../contract/transportista/transportista.ts';
import { expectAccessible } from './accessible.ts';
import { type Arranger, expect, expectFits, test } from './fixtures.ts';

/*
 * The customer's payment page without a session: what the server delivers, and how the page follows its order.
 * web/pagar/page.browser.test.tsx tests the contents of the page, test/pagar.test.ts its forms.
 */

const IBAN = 'ES9121000418450200051332';

async function unpaid(api: Arranger) {
  const reseller = await api.as(await api.user('revendedor'));
  const pack = await api.pack({ name: 'Caja de 6', pack_price: 1234.5 });
  const fields = {
    pack_id: pack.id,
    cliente_nombre: 'Lucía Prados',
    cliente_telefono: '600 123 987',
    cliente_direccion: 'Calle Secreta 7',
  };
  const pedido = await api.pedido(fields, reseller);
  if (!pedido.payment_link) throw new Error('An order of a reseller has a payment link');
  return { ...pedido, path: new URL(pedido.payment_link).pathname };
}

async function move(api: Arranger, id: string, body: Partial<EstadoInput> & Pick<EstadoInput, 'estado'>) {
  const reply = await api.admin.call(setEstado, { params: { id }, body });
  expect(reply.status, reply.text).toBe(200);
}

test.beforeAll(async ({ api }) => {
  const contact = { companyEmail: 'hola@alacena.test', companyPhone: '953 12 34 56', companyWhatsapp: '600 11 22 33' };
  const body = { ...contact, companyName: 'Alacena S.L.', companyIban: IBAN, companyBic: 'CAIXESBBXXX', proofOfDelivery: true };
  await api.prove();
  const reply = await api.admin.call(updateSettings, { body });
  expect(reply.status, reply.text).toBe(200);
});

const title = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

test('the open payment page follows its order from payment to delivery without a reload', async ({ page, api }) => {
  const pedido = await unpaid(api);
  const carrier = await api.as(await api.user('transportista'));
  await page.clock.install();
  await page.goto(pedido.path);
  await title(page, 'Paga tu pedido');
  await move(api, pedido.id, { estado: 'pendiente', referencia: 'TR-1' });
  await page.clock.fastForward(21_000);
  await title(page, 'Pago recibido');
  await expect(page.getByRole('status').filter({ hasText: 'Ha cambiado: Pago recibido' })).toBeVisible();

  const taken = await carrier.call(autoAsignar, { params: { id: pedido.id }, body: {} });
  expect(taken.status).toBe(200);
  await page.clock.fastForward(21_000);
  await title(page, 'Tu pedido ya tiene transportista');
  await move(api, pedido.id, { estado: 'completado', metodo_entrega: 'mrw', numero_seguimiento: 'MRW-77' });
  await page.clock.fastForward(21_000);
  await title(page, 'Pedido entregado');
  const follow = page.getByRole('link', { name: 'Seguir el envío MRW-77' });
  await expect(follow).toHaveAttribute('href', /^https:\/\/www\.mrw\.es\/.*MRW-77$/);
});

test('the payment page fits its window, is accessible in both themes of the phone, and copies', async ({ page, context, api }) => {
  const pedido = await unpaid(api);
  for (const [colorScheme, ground] of [
    ['dark', 'rgb(18, 20, 24)'],
    ['light', 'rgb(246, 247, 249)'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(pedido.path);
    await title(page, 'Paga tu pedido');
    await expect(page.locator('body')).toHaveCSS('background-color', ground);
    await expectAccessible(page);
    await expectFits(page, colorScheme);
  }
  const qr = page.getByRole('img', { name: 'Código QR con los datos de la transferencia' });
  await qr.scrollIntoViewIfNeeded();
  await expect.poll(() => qr.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(480);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copiar IBAN' }).click();
  await expect(page.getByRole('button', { name: 'Copiado ✓' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(IBAN);
});

test('the payment page of an unknown link says so with its status', async ({ page, allowErrors }) => {
  allowErrors(/status of 404 .*\/pagar\/no-existe/);
  expect((await page.goto('/pagar/no-existe'))?.status()).toBe(404);
  await title(page, 'No encontramos este pedido');
  await expectAccessible(page);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a customer reads all, reports the transfer, and asks for another day and for the neighbour', async ({ page, api, allowErrors }) => {
    allowErrors(/status of 422 .*\/aplazar$/);
    const pedido = await unpaid(api);
    await page.goto(pedido.path);
    await title(page, 'Paga tu pedido');
    for (const text of ['1.234,50 €', 'ES91 2100 0418 4502 0005 1332', 'Vuelve a cargar esta página para ver cómo va tu pedido'])
      await expect(page.getByText(text).first()).toBeVisible();
    await expect(page.getByRole('button', { name: /^Copiar/ })).toHaveCount(0);
    await page.getByRole('button', { name: 'Ya he hecho la transferencia' }).click();
    await title(page, 'Esperamos tu transferencia');
    await expect(page).toHaveURL(pedido.path);

    await move(api, pedido.id, { estado: 'pendiente', referencia: 'TR-1' });
    await page.reload();
    await title(page, 'Pago recibido');
    await page.getByText('No voy a estar').click();
    await page.getByRole('button', { name: 'Avisar' }).click();
    await expect(page.getByRole('alert')).toHaveText('Elige un día');
    await page.getByRole('radio').first().check();
    await page.getByLabel('Nota para el transportista').fill('Por la tarde');
    await page.getByRole('button', { name: 'Avisar' }).click();
    await expect(page.getByText(/^Se lo hemos dicho al transportista: Entregar el .*Por la tarde/)).toBeVisible();
    await page.getByRole('button', { name: 'Puedes dejarlo a un vecino' }).click();
    await expect(page.getByText(/dijiste que podemos dejarlo a un vecino/)).toBeVisible();
  });
});

test('the preview of a payment link names the business before any script runs @desktop', async ({ page, request, api }) => {
  const pedido = await unpaid(api);
  const text = await (await request.get(pedido.path)).text();
  expect(text).toContain('<title>Pago del pedido · Alacena S.L.</title>');
  expect(text).toContain('<meta name="description" content="Paga tu pedido a Alacena S.L.');
  for (const tag of [
    'site_name" content="Alacena S.L."',
    'title" content="Pago del pedido · Alacena S.L."',
    'description" content="Paga tu pedido',
  ])
    expect(text).toContain(`<meta property="og:${tag}`);
  // Search engines must not index the page.
  expect(text).toContain('<meta name="robots" content="noindex"');
  // Messengers show the head to whoever sees the link.
  expect(text.slice(0, text.indexOf('</head>'))).not.toMatch(/Lucía|1\.?234/);
  const picture = await request.get(new URL(text.match(/property="og:image" content="([^"]+)"/)?.[1] ?? '').pathname);
  const bytes = await picture.body();
  expect([picture.headers()['content-type'], bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual(['image/png', 1200, 630]);
  expect(bytes.length).toBeLessThan(40_000);
  await page.goto(pedido.path);
  await title(page, 'Paga tu pedido');
  await expect(page).toHaveTitle('Pago del pedido · Alacena S.L.');
});

test('the payment page asks for nothing but its script before it is used, and prints without buttons @desktop', async ({ page, api }) => {
  const pedido = await unpaid(api);
  const asked: string[] = [];
  page.on('requestfinished', (finished) => void asked.push(new URL(finished.url()).pathname));
  await page.goto(pedido.path);
  await expect(page.getByRole('button', { name: 'Copiar IBAN' })).toBeVisible();
  const needed = asked.filter((path) => !/qr\.png$|favicon/.test(path));
  expect(needed.toSorted()).toEqual([expect.stringMatching(/^\/assets\/start-[\w-]+\.js$/), pedido.path]);

  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText('ES91 2100 0418 4502 0005 1332')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copiar IBAN' })).toBeHidden();
});
