import { randomUUID } from 'node:crypto';
import type { EstadoInput } from '../contract/pedidos.ts';
import { setEstado } from '../contract/pedidos.ts';
import { updateSettings } from '../contract/settings.ts';
import { autoAsignar } from '../contract/transportista.ts';
import { type Arranger, expect, expectAccessible, test } from './fixtures.ts';

/* The public address of an order: how to pay it and, once paid, how it goes. Nobody signs in here. */

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

test('without an account set, it says whom to ask', async ({ page, api }) => {
  const pedido = await unpaid(api);
  await page.goto(pedido.path);
  await expect(page.getByRole('heading', { level: 1, name: 'Paga tu pedido' })).toBeVisible();
  await expect(page.getByText(/Todavía no hay una cuenta a la que hacer la transferencia/)).toBeVisible();
  await expect(page.getByRole('img')).toBeHidden();
  await expectAccessible(page);
});

test.describe('with an account', () => {
  test.beforeAll(async ({ api }) => {
    const body = { companyName: 'Alacena S.L.', companyEmail: 'hola@alacena.test', companyIban: IBAN, companyBic: 'CAIXESBBXXX' };
    const reply = await api.admin.call(updateSettings, { body });
    expect(reply.status, reply.text).toBe(200);
  });

  test('it shows what to transfer, to copy or to scan, and what was ordered', async ({ page, api, context }) => {
    const pedido = await unpaid(api);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(pedido.path);

    const transfer = page.getByRole('region', { name: 'Transferencia bancaria' });
    await expect(transfer).toContainText('Alacena S.L.');
    await expect(transfer).toContainText('ES91 2100 0418 4502 0005 1332');
    await expect(transfer).toContainText('CAIXESBBXXX');
    await expect(transfer).toContainText(/1\.234,50\s€/);
    await expect(transfer).toContainText('Escanéalo con la app de tu banco');
    const qr = transfer.getByRole('img', { name: 'Código QR con los datos de la transferencia' });
    await expect.poll(() => qr.evaluate((img) => (img instanceof HTMLImageElement ? img.naturalWidth : 0))).toBeGreaterThan(50);

    await transfer.getByRole('button', { name: 'Copiar IBAN' }).click();
    await expect(page.getByText('IBAN copiado')).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(IBAN);
    await transfer.getByRole('button', { name: 'Copiar Concepto' }).click();
    await expect(page.getByText('Concepto copiado')).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(pedido.numero_orden);

    const summary = page.getByRole('region', { name: 'Tu pedido', exact: true });
    for (const text of [pedido.numero_orden, 'Lucía Prados', pedido.producto, /Total\s*1\.234,50\s€/])
      await expect(summary).toContainText(text);
    await expect(page.getByRole('listitem').filter({ hasText: 'Esperando tu pago' })).toHaveAttribute('aria-current', 'step');
    await expect(page.getByRole('button', { name: /Simular/ })).toBeHidden();
    await expectAccessible(page);
  });

  test('the address gives away neither phone nor street, and asks search engines to stay away @desktop', async ({ page, api }) => {
    const pedido = await unpaid(api);
    const answer = page.waitForResponse((response) => response.url().includes('/api/pagar/'));
    await page.goto(pedido.path);
    const text = await (await answer).text();
    expect(text).toContain('Lucía Prados');
    expect(text).not.toMatch(/600 123 987|Calle Secreta|revendedor/);
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex');
  });

  test('once paid, the open page follows the order to its delivery by itself @desktop', async ({ page, api }) => {
    const pedido = await unpaid(api);
    const carrier = await api.as(await api.user('transportista'));
    const title = (name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    const step = (text: string) => expect(page.locator('[aria-current="step"]')).toContainText(text);
    await page.clock.install();
    await page.goto(pedido.path);
    await title('Paga tu pedido');

    await move(api, pedido.id, { estado: 'pendiente', referencia: 'TR-1' });
    await page.clock.fastForward(21_000);
    await title('Pago recibido');
    await step('Buscando transportista');
    await expect(page.getByRole('region', { name: 'Transferencia bancaria' })).toBeHidden();

    const taken = await carrier.call(autoAsignar, { params: { id: pedido.id }, body: {} });
    expect(taken.status).toBe(200);
    await page.clock.fastForward(21_000);
    await title('Tu pedido ya tiene transportista');

    await move(api, pedido.id, { estado: 'en_proceso' });
    await page.clock.fastForward(21_000);
    await title('Estamos preparando tu pedido');

    await move(api, pedido.id, { estado: 'en_ruta' });
    await page.clock.fastForward(21_000);
    await title('Tu pedido va de camino');
    await step('Ha salido a reparto');
    await expectAccessible(page);

    await move(api, pedido.id, { estado: 'completado', metodo_entrega: 'mrw', numero_seguimiento: 'MRW-77' });
    await page.clock.fastForward(21_000);
    await title('Pedido entregado');
    const summary = page.getByRole('region', { name: 'Tu pedido', exact: true });
    await expect(summary).toContainText('MRW-77');
    await expect(summary.getByText('MRW', { exact: true })).toBeVisible();
    const follow = summary.getByRole('link', { name: 'Seguir el envío MRW-77' });
    await expect(follow).toHaveAttribute('href', /^https:\/\/www\.mrw\.es\/.*MRW-77$/);
    await expect(follow).toHaveAttribute('rel', 'noreferrer');
    await expect(page.locator('[aria-current="step"]')).toHaveCount(0);
    await expectAccessible(page);
  });

  test('a cancelled order is not to be paid', async ({ page, api }) => {
    const pedido = await unpaid(api);
    await move(api, pedido.id, { estado: 'cancelado' });
    await page.goto(pedido.path);
    await expect(page.getByRole('heading', { level: 1, name: 'Pedido cancelado' })).toBeVisible();
    await expect(page.getByText('Ya no hay que pagarlo')).toBeVisible();
    await expect(page.getByText(IBAN.slice(0, 4))).toBeHidden();
    await expectAccessible(page);
  });

  test('on paper there are the data and no buttons', { tag: '@desktop' }, async ({ page, api }) => {
    const pedido = await unpaid(api);
    await page.goto(pedido.path);
    await expect(page.getByRole('button', { name: 'Copiar IBAN' })).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByText('ES91 2100 0418 4502 0005 1332')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Copiar IBAN' })).toBeHidden();
  });

  // The server of these tests is not the demonstration: its two differences are put on the wire here.
  test('in the demo the payment can be simulated, and the button says so @desktop', async ({ page, api }) => {
    const pedido = await unpaid(api);
    await page.route('**/api/pagar/*', async (route) => {
      const response = await route.fetch();
      const { data } = await response.json();
      await route.fulfill({ response, json: { data: { ...data, simulador: data.estado === 'pendiente_pago' } } });
    });
    await page.route('**/api/pagar/*/simular', async (route) => {
      await move(api, pedido.id, { estado: 'pendiente', referencia: 'SIM' });
      await route.fulfill({ json: { success: true, message: 'Pago simulado' } });
    });
    await page.goto(pedido.path);
    await page.getByRole('button', { name: 'Simular pago (demo)' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Pago recibido' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Simular pago (demo)' })).toBeHidden();
  });
});

test('an address that is not of any order says so kindly', async ({ page, allowErrors }) => {
  allowErrors(/status of 404 .*\/api\/pagar\//);
  await page.goto(`/pagar/${randomUUID()}`);
  await expect(page.getByRole('heading', { level: 1, name: 'No encontramos este pedido' })).toBeVisible();
  await expect(page.getByText('pide el enlace otra vez a quien te lo envió')).toBeVisible();
  await expectAccessible(page);
});

test('when the server fails there is the id under which its log tells more, and a way to try again', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 500 .*\/api\/pagar\//);
  const pedido = await unpaid(api);
  const failed = { status: 500, headers: { 'x-request-id': 'r-17' }, json: { message: 'Algo ha fallado' } };
  await page.route('**/api/pagar/*', (route) => route.fulfill(failed), { times: 1 });
  await page.goto(pedido.path);
  await expect(page.getByRole('alert')).toContainText('No se pudo cargar el pedido');
  await expect(page.getByRole('alert')).toContainText('(Código: r-17)');
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Paga tu pedido' })).toBeVisible();
});
