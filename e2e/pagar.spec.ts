import { randomUUID } from 'node:crypto';
import { anotarPago, devolverPago, listPagos } from '../contract/payments.ts';
import type { EstadoInput } from '../contract/pedidos.ts';
import { setEstado } from '../contract/pedidos.ts';
import { updateSettings } from '../contract/settings.ts';
import { autoAsignar } from '../contract/transportista.ts';
import { type Arranger, expect, expectAccessible, expectTheme, test } from './fixtures.ts';

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
    const contact = { companyEmail: 'hola@alacena.test', companyPhone: '953 12 34 56', companyWhatsapp: '600 11 22 33' };
    const body = { ...contact, companyName: 'Alacena S.L.', companyIban: IBAN, companyBic: 'CAIXESBBXXX' };
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
    for (const text of [pedido.numero_orden, 'Lucía Prados', pedido.producto]) await expect(summary).toContainText(text);
    await expect(page.getByRole('listitem').filter({ hasText: 'Esperando tu pago' })).toHaveAttribute('aria-current', 'step');
    await expect(page.getByRole('button', { name: /Simular/ })).toBeHidden();
    await expectAccessible(page);
  });

  test('of several lines each has its amount, with shipping, discount and what they come to', async ({ page, api }) => {
    const [oil, wine] = [await api.pack({ name: 'Lata', pack_price: 10 }), await api.pack({ name: 'Botella', pack_price: 30 })];
    const lineas = [
      { pack_id: oil.id, cantidad: 3 },
      { pack_id: wine.id, cantidad: 2 },
    ];
    const pedido = await api.pedido({ lineas, envio: 4.95, descuento: 2 });
    await api.admin.call(anotarPago, { params: { id: pedido.id }, body: { metodo: 'bizum', importe: 50, fecha: '2026-01-05' } });
    await page.goto(new URL(pedido.payment_link ?? '').pathname);
    const summary = page.getByRole('region', { name: 'Tu pedido', exact: true });
    await expect(summary).toContainText(
      /3 × .* – Lata30,00\s€2 × .* – Botella60,00\s€Envío4,95\s€Descuento−2,00\s€Total92,95\s€Ya pagado50,00\s€$/,
    );
    await expect(summary).not.toContainText('y 1 más');
    await expectAccessible(page);
  });

  test('the amount stands there once, with a button that copies it as a bank takes it', async ({ page, api, context }) => {
    const pedido = await unpaid(api);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(pedido.path);
    await expect(page.getByText(/1\.234,50\s€/)).toHaveCount(1);
    await page.getByRole('button', { name: 'Copiar importe' }).click();
    await expect(page.getByText('Importe copiado')).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('1234,50');
    for (const words of ['Copiar importe', 'Copiar IBAN', 'Copiar concepto'])
      await expect(page.getByRole('button', { name: words })).toHaveText(words);
  });

  test('the code can be kept as a picture and, on a phone that shares, sent to the bank’s app', async ({ page, api }) => {
    const pedido = await unpaid(api);
    // No browser without windows shares: this one notes what it is given.
    await page.addInitScript(() => {
      const shared: string[] = [];
      Object.assign(navigator, {
        canShare: () => true,
        share: async ({ files = [] }: ShareData) =>
          void shared.push(...files.map(({ name, type, size }) => `${name} ${type} ${size > 500}`)),
      });
      Object.assign(window, { shared });
    });
    await page.goto(pedido.path);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Guardar el QR' }).click();
    expect((await download).suggestedFilename()).toBe(`QR ${pedido.numero_orden}.png`);
    await page.getByRole('button', { name: 'Compartir el QR' }).click();
    await expect.poll(() => page.evaluate(() => Reflect.get(window, 'shared'))).toEqual([`QR ${pedido.numero_orden}.png image/png true`]);
  });

  test('whom to ask stands there in every estado', async ({ page, api }) => {
    const pedido = await unpaid(api);
    const contact = page.getByRole('region', { name: '¿Tienes alguna duda?' });
    for (const title of ['Paga tu pedido', 'Pedido cancelado']) {
      await page.goto(pedido.path);
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
      await expect(contact.getByRole('link', { name: 'Llamar al 953 12 34 56' })).toHaveAttribute('href', 'tel:953123456');
      await expect(contact.getByRole('link', { name: 'Escribir a hola@alacena.test' })).toHaveAttribute('href', 'mailto:hola@alacena.test');
      await expect(contact.getByRole('link', { name: 'WhatsApp' })).toHaveAttribute('href', 'https://wa.me/34600112233');
      if (title === 'Paga tu pedido') await move(api, pedido.id, { estado: 'cancelado' });
    }
  });

  test('paid and then cancelled, it says that the money comes back and when, and that it has come back', async ({ page, api }) => {
    const pedido = await unpaid(api);
    await move(api, pedido.id, { estado: 'pendiente', referencia: 'TR-1' });
    await move(api, pedido.id, { estado: 'cancelado' });
    await page.goto(pedido.path);
    const refund = page.getByRole('region', { name: 'Devolución' });
    await expect(refund).toContainText(/Te devolvemos 1\.234,50\s€ como muy tarde el \d\d\/\d\d\/\d{4}/);
    await expectAccessible(page);
    const [pago] = (await api.admin.call(listPagos, { params: { id: pedido.id } })).body.data;
    expect((await api.admin.call(devolverPago, { params: { id: pago?.id ?? '' }, body: {} })).status).toBe(200);
    await page.reload();
    await expect(refund).toContainText(/Te devolvimos 1\.234,50\s€ el \d\d\/\d\d\/\d{4}/);
  });

  test('it follows the theme of the telephone', async ({ page, api }) => {
    const pedido = await unpaid(api);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(pedido.path);
      await expect(page.getByRole('heading', { level: 1, name: 'Paga tu pedido' })).toBeVisible();
      await expectTheme(page, colorScheme);
    }
  });

  test('whoever is sent the link sees whose it is before any script runs @desktop', async ({ page, request, api }) => {
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
    expect(text).not.toMatch(/Lucía|1\.?234/);
    const picture = await request.get(new URL(text.match(/property="og:image" content="([^"]+)"/)?.[1] ?? '').pathname);
    const bytes = await picture.body();
    expect([picture.headers()['content-type'], bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual(['image/png', 1200, 630]);
    expect(bytes.length).toBeLessThan(40_000);
    await page.goto(pedido.path);
    await expect(page.getByRole('heading', { level: 1, name: 'Paga tu pedido' })).toBeVisible();
    await expect(page).toHaveTitle('Pago del pedido · Alacena S.L.');
  });

  test('it loads what it shows and no more, and asks for its order once @desktop', async ({ page, api }) => {
    const pedido = await unpaid(api);
    const sizes: Promise<number>[] = [];
    const asked: string[] = [];
    page.on('requestfinished', (finished) => {
      const { pathname } = new URL(finished.url());
      if (pathname.startsWith('/api/')) asked.push(pathname);
      if (['script', 'stylesheet'].includes(finished.resourceType())) sizes.push(finished.sizes().then((size) => size.responseBodySize));
    });
    await page.goto(pedido.path);
    await expect(page.getByRole('button', { name: 'Copiar IBAN' })).toBeVisible();
    expect(asked).toEqual([`/api${pedido.path}`]);
    // The code to scan and the notices come afterwards.
    await page.waitForLoadState('networkidle');
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeLessThan(168_000);
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
    // It has not left yet.
    await step('En preparación');

    await move(api, pedido.id, { estado: 'en_proceso' });
    await page.clock.fastForward(21_000);
    await title('Estamos preparando tu pedido');

    await move(api, pedido.id, { estado: 'en_ruta' });
    await page.clock.fastForward(21_000);
    await title('Tu pedido va de camino');
    await step('En camino');
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

test('an address that is not of any order says so kindly, whose it is and whom to ask', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 404 .*\/api\/pagar\//);
  const body = { companyName: 'Alacena S.L.', companyEmail: 'hola@alacena.test' };
  expect((await api.admin.call(updateSettings, { body })).status).toBe(200);
  await page.goto(`/pagar/${randomUUID()}`);
  await expect(page.getByRole('heading', { level: 1, name: 'No encontramos este pedido' })).toBeVisible();
  await expect(page.getByText('pide el enlace otra vez a quien te lo envió')).toBeVisible();
  await expect(page.getByText('Alacena S.L.', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Escribir a hola@alacena.test' })).toBeVisible();
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
