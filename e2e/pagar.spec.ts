import type { EstadoInput } from '../contract/pedidos/pedidos.ts';
import { setEstado } from '../contract/pedidos/pedidos.ts';
import { updateSettings } from '../contract/settings/settings.ts';
import { autoAsignar } from '../contract/transportista/transportista.ts';
import { type Arranger, expect, expectTheme, test } from './fixtures.ts';

/*
 * The customer's payment page without a session: what the server delivers, and how the page follows its order.
 * web/payments/pagar.browser.test.tsx tests the contents of the page.
 */

const IBAN = 'ES9121000418450200051332';

async function unpaid(api: Arranger) {
  const reseller = await api.as(await api.user('revendedor'));
  const pack = await api.pack({ name: 'Caja de 6', pack_price: 1234.5 });
  const given = { pack_id: pack.id, cliente_nombre: 'Lucía Prados', cliente_telefono: '600 123 987', cliente_direccion: 'Calle Secreta 7' };
  const pedido = await api.pedido(given, reseller);
  if (!pedido.payment_link) throw new Error('An order of a reseller has a payment link');
  return { ...pedido, path: new URL(pedido.payment_link).pathname };
}

async function move(api: Arranger, id: string, body: Partial<EstadoInput> & Pick<EstadoInput, 'estado'>) {
  const reply = await api.admin.call(setEstado, { params: { id }, body });
  expect(reply.status, reply.text).toBe(200);
}

test.beforeAll(async ({ api }) => {
  const contact = { companyEmail: 'hola@alacena.test', companyPhone: '953 12 34 56', companyWhatsapp: '600 11 22 33' };
  const body = { ...contact, companyName: 'Alacena S.L.', companyIban: IBAN, companyBic: 'CAIXESBBXXX' };
  await api.prove();
  const reply = await api.admin.call(updateSettings, { body });
  expect(reply.status, reply.text).toBe(200);
});

// Fakes the payment simulator, which only the demonstration has: the flag in the response, and the endpoint.
test('the open payment page follows its order from payment to delivery without a reload', async ({ page, api }) => {
  const pedido = await unpaid(api);
  const carrier = await api.as(await api.user('transportista'));
  await page.route('**/api/pagar/*', async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    await route.fulfill({ response, json: { data: { ...data, simulador: data.estado === 'pendiente_pago' } } });
  });
  await page.route('**/api/pagar/*/simular', async (route) => {
    await move(api, pedido.id, { estado: 'pendiente', referencia: 'SIM' });
    await route.fulfill({ json: { success: true, message: 'Pago simulado' } });
  });
  const title = (name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await page.clock.install();
  await page.goto(pedido.path);
  await title('Paga tu pedido');
  await page.getByRole('button', { name: 'Simular pago (demo)' }).click();
  await title('Pago recibido');

  const taken = await carrier.call(autoAsignar, { params: { id: pedido.id }, body: {} });
  expect(taken.status).toBe(200);
  await page.clock.fastForward(21_000);
  await title('Tu pedido ya tiene transportista');
  await move(api, pedido.id, { estado: 'completado', metodo_entrega: 'mrw', numero_seguimiento: 'MRW-77' });
  await page.clock.fastForward(21_000);
  await title('Pedido entregado');
  const follow = page.getByRole('link', { name: 'Seguir el envío MRW-77' });
  await expect(follow).toHaveAttribute('href', /^https:\/\/www\.mrw\.es\/.*MRW-77$/);
});

test('the payment page follows the theme of the phone', async ({ page, api }) => {
  const pedido = await unpaid(api);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(pedido.path);
    await expect(page.getByRole('heading', { level: 1, name: 'Paga tu pedido' })).toBeVisible();
    await expectTheme(page, colorScheme);
  }
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
  expect(text).not.toMatch(/Lucía|1\.?234/);
  const picture = await request.get(new URL(text.match(/property="og:image" content="([^"]+)"/)?.[1] ?? '').pathname);
  const bytes = await picture.body();
  expect([picture.headers()['content-type'], bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual(['image/png', 1200, 630]);
  expect(bytes.length).toBeLessThan(40_000);
  await page.goto(pedido.path);
  await expect(page.getByRole('heading', { level: 1, name: 'Paga tu pedido' })).toBeVisible();
  await expect(page).toHaveTitle('Pago del pedido · Alacena S.L.');
});

test('the payment page makes one API request, and prints without buttons @desktop', async ({ page, api }) => {
  const pedido = await unpaid(api);
  const asked: string[] = [];
  page.on('requestfinished', (finished) => {
    const { pathname } = new URL(finished.url());
    if (pathname.startsWith('/api/')) asked.push(pathname);
  });
  await page.goto(pedido.path);
  await expect(page.getByRole('button', { name: 'Copiar IBAN' })).toBeVisible();
  expect(asked).toEqual([`/api${pedido.path}`]);

  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText('ES91 2100 0418 4502 0005 1332')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copiar IBAN' })).toBeHidden();
});
