import type { Page } from '@playwright/test';
import { getPedido, listPedidos } from '../contract/pedidos.ts';
import { STRIPE, stripeSays } from '../test/paying.ts';
import { type Arranger, arranger, connect, connectAs } from './api.ts';
import { expect, expectAccessible, expectFits, row, SUPERADMIN, signIn, test } from './fixtures.ts';
import { type Server, startServer } from './server.ts';

/* What a superadmin does about money: of an order made by the office, and of a payment that matches no order. */

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

async function order(api: Arranger, given = {}) {
  return api.pedido({ pack_id: (await api.pack({ pack_price: 100 })).id, ...given });
}

test('a payment of part of an order is noted, shown in the list and found by its filter; the rest has its link', async ({
  page,
  api,
  allowErrors,
}) => {
  allowErrors(/status of 422 .*\/pagos$/);
  const pedido = await order(api, { cliente_nombre: 'Lola Partes' });
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/pedidos');
  await expect(row(page, pedido.numero_orden)).toContainText('Sin pagar');
  await page.getByRole('main').getByRole('link', { name: pedido.numero_orden }).click();
  const pagos = page.getByRole('dialog').getByRole('region', { name: 'Pagos' });
  await expect(pagos).toContainText(/Faltan por pagar 100,00\s€/);
  await expect(pagos.getByRole('link', { name: 'WhatsApp' })).toHaveAttribute('href', /100%2C00/);
  await expect(pagos.getByRole('link', { name: 'Pagar ahora' })).toHaveAttribute('href', pedido.payment_link ?? 'none');
  await pagos.getByRole('button', { name: 'Anotar pago' }).click();
  await expect(pagos.getByLabel('Importe (€)')).toHaveValue('100,00');
  await expectAccessible(page);

  await pagos.getByLabel('Importe (€)').fill('100,01');
  await pagos.getByRole('button', { name: 'Anotar pago' }).click();
  await expect(pagos).toContainText(/Como máximo lo que falta por pagar: 100,00\s€/);
  await pagos.getByLabel('Importe (€)').fill('40');
  await pagos.getByLabel('Método').click();
  await page.getByRole('option', { name: 'Bizum' }).click();
  await pagos.getByLabel('Referencia (opcional)').fill('B-7');
  await pagos.getByRole('button', { name: 'Anotar pago' }).click();
  await expect(pagos).toContainText(/Pagado 40,00\s€ de 100,00\s€\. Faltan por pagar 60,00\s€/);
  await expect(pagos.getByRole('listitem')).toContainText('Ref. B-7');
  await expect(page.getByRole('dialog').getByLabel('Pagado')).toHaveValue(/40,00\s€ de 100,00\s€/);

  await page.keyboard.press('Escape');
  await expect(row(page, pedido.numero_orden)).toContainText(/Pagado 40,00\s€/);
  await page.goto('/pedidos?pagado=parte');
  await expect(row(page, pedido.numero_orden)).toBeVisible();
  await page.goto('/pedidos?pagado=si');
  await expect(page.getByText('Ningún pedido coincide con los filtros')).toBeVisible();
  await expectFits(page, 'the filters fit the window');
});

test('«Marcar como pagado» says the amount, and a copy says that it is not paid', async ({ page, api }) => {
  const pedido = await order(api, { estado: 'pendiente_pago' });
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto(`/pedidos?search=${pedido.numero_orden}`);
  const choose = async (item: string) => {
    await page.getByRole('button', { name: `Acciones del pedido ${pedido.numero_orden}` }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await choose('Marcar como pagado');
  const paying = dialog(page, 'Marcar como pagado');
  await expect(paying).toContainText(/Se anotará un pago de 100,00\s€/);
  await paying.getByLabel('Referencia del pago').fill('TRF-9');
  await paying.getByRole('button', { name: 'Marcar como pagado' }).click();
  await expect(paying).toBeHidden();
  await expect(row(page, pedido.numero_orden)).toContainText('Pagado');
  await choose('Duplicar');
  await expect(dialog(page, 'Duplicar pedido')).toContainText('La copia queda sin pagar.');
  await dialog(page, 'Duplicar pedido').getByRole('button', { name: 'Duplicar' }).click();
  await expect(page.getByText(/Pedido duplicado como ORD-\d+: la copia está sin pagar/)).toBeVisible();
});

test('an order that is collected by its link waits for its payment, and the link is there at once', async ({ page, api }) => {
  await order(api);
  const pack = await api.pack({ name: 'Caja enlazada', pack_price: 12 });
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/pedidos/nuevo-admin');
  await page.getByRole('combobox', { name: 'Nombre', exact: true }).fill('Enrique Enlace');
  await page.getByRole('textbox', { name: 'Dirección', exact: true }).fill('Calle Alta, 4');
  await page.getByRole('combobox', { name: 'Pack' }).click();
  await page.getByRole('option', { name: new RegExp(pack.name) }).click();
  await page.getByLabel('Cobrar con enlace').check();
  await page.getByRole('button', { name: 'Crear pedido' }).click();
  const created = dialog(page, 'Pedido creado');
  await expect(created.getByRole('link', { name: 'WhatsApp' })).toBeVisible();
  const { data } = (await api.admin.call(listPedidos, { query: { search: 'Enrique Enlace' } })).body;
  expect(data).toMatchObject([{ estado: 'pendiente_pago' }]);
});

test.describe('with a provider', () => {
  let shop: Server;
  let api: Arranger;
  test.beforeAll(async () => {
    test.setTimeout(180_000);
    shop = await startServer(STRIPE);
    api = arranger(shop.url, await connectAs(shop.url, SUPERADMIN));
  });
  test.afterAll(() => shop.stop());

  test('a payment of another amount is found from the dashboard and decided about, with a reason', async ({ page }) => {
    const pedido = await order(api, { estado: 'pendiente_pago' });
    const { status } = await stripeSays(connect(shop.url), { id: 'evt_1', session: 'cs_de_menos', pedido: pedido.id, importe: 9000 });
    expect(status).toBe(200);
    await page.goto(`${shop.url}/auth`);
    await page.getByLabel('Email o usuario').fill(SUPERADMIN.email);
    await page.getByLabel('Contraseña', { exact: true }).fill(SUPERADMIN.password);
    await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
    await page.getByRole('link', { name: /^Pagos por revisar 1$/ }).click();
    await expect(page.getByRole('main')).toContainText('cs_de_menos');
    await expect(page.getByRole('main')).toContainText('El importe no es el que se debe');
    await page.getByRole('button', { name: 'Revisar el pago cs_de_menos' }).click();
    const review = dialog(page, 'Revisar pago');
    await expect(review.getByLabel('Pedido')).toHaveValue(pedido.numero_orden);
    await expect(review.getByLabel('Importe que cuenta (€)')).toHaveValue('90,00');
    await review.getByRole('button', { name: 'Guardar' }).click();
    await expect(review).toContainText('Indica el motivo');
    await expectAccessible(page);
    await review.getByLabel('Motivo').fill('Descuento acordado por teléfono');
    await review.getByRole('button', { name: 'Guardar' }).click();
    await expect(page.getByText('No hay pagos por revisar')).toBeVisible();
    const { data } = (await api.admin.call(getPedido, { params: { id: pedido.id } })).body;
    expect(data).toMatchObject({ estado: 'pendiente_pago', pagado: 90 });
  });
});
