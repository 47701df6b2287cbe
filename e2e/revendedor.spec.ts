import type { Page } from '@playwright/test';
import { assignTransportista, createPedido, getPedido, listPedidos, setEstado, updatePedido } from '../contract/pedidos.ts';
import { updatePack } from '../contract/products.ts';
import { type Arranger, expect, expectAccessible, expectFits, type Person, rows, signIn, test } from './fixtures.ts';

/* A reseller's own orders: «Mis Pedidos» and the dashboard. */

type Order = Awaited<ReturnType<Arranger['pedido']>>;
type Given = Parameters<Arranger['pedido']>[0];

async function reseller(api: Arranger) {
  const person = await api.user('revendedor');
  const client = await api.as(person);
  const pack = await api.pack({ pack_price: 40 });
  const order = (given: Given = {}): Promise<Order> => api.pedido({ pack_id: pack.id, ...given }, client);
  return { person, client, order };
}
const move = (api: Arranger, { id }: Order, body: object) =>
  api.admin.call(setEstado, { params: { id }, body: { estado: 'pendiente', referencia: 'TR-1', ...body } });
async function completed(api: Arranger, order: Order, numero_seguimiento: string | null) {
  await move(api, order, {});
  const carrier = await api.user('transportista');
  await api.admin.call(assignTransportista, { params: { id: order.id }, body: { transportista_id: carrier.id } });
  await move(api, order, { estado: 'completado', referencia: null, metodo_entrega: 'mrw', empresa_transporte: 'mrw', numero_seguimiento });
}

async function open(page: Page, person: Person, path: string) {
  await signIn(page, person.email, person.password);
  await page.goto(path);
}
const list = (page: Page) => page.getByLabel('Mis pedidos', { exact: true });
const row = (page: Page, { numero_orden }: Order) => rows(list(page)).filter({ hasText: numero_orden });
const card = (page: Page, label: string) => page.getByRole('link', { name: new RegExp(`^${label} ?\\d`) });

test('without orders both screens invite to make the first', async ({ page, api }) => {
  const { person } = await reseller(api);
  await open(page, person, '/mis-pedidos');
  await expect(page.getByRole('heading', { level: 1, name: 'Mis Pedidos' })).toBeVisible();
  await expect(page.getByText('Todavía no tienes pedidos')).toBeVisible();
  await expectAccessible(page);
  await page.goto('/revendedor-dashboard');
  await expect(page.getByText('No hay pedidos recientes')).toBeVisible();
  await page.getByRole('link', { name: 'Crear Nuevo Pedido' }).click();
  await expect(page).toHaveURL(/\/pedidos\/nuevo$/);
});

test('@phone estado and days share one line', async ({ page, api }) => {
  const { person, order } = await reseller(api);
  await order();
  for (const search of ['', '?fecha_desde=2026-11-01&fecha_hasta=2026-11-20&estado=pendiente_pago']) {
    await open(page, person, `/mis-pedidos${search}`);
    const [estado, days] = [page.getByRole('combobox', { name: 'Estado' }), page.getByRole('button', { name: /^Fechas/ })];
    const y = async (field: typeof estado) => Math.round((await field.boundingBox())?.y ?? 0);
    await expect.poll(async () => (await y(estado)) - (await y(days)), search).toBe(0);
  }
});

test('each order shows its tracking, and the unpaid one its payment', async ({ page, api }) => {
  const { person, order } = await reseller(api);
  const [unpaid, tracked, untracked] = [await order(), await order(), await order()];
  await completed(api, tracked, 'MRW-99');
  await completed(api, untracked, null);
  await open(page, person, '/mis-pedidos');
  const paid = await order();
  await move(api, paid, {});
  await page.reload();
  await expect(row(page, paid)).toContainText('En espera del transportista');
  const carrier = await api.user('transportista');
  await api.admin.call(assignTransportista, { params: { id: paid.id }, body: { transportista_id: carrier.id } });
  await expect(row(page, paid)).toContainText(`Lo lleva ${carrier.full_name}`);
  // Nobody waits for a carrier before the payment.
  await expect(row(page, unpaid)).not.toContainText('transportista');
  await expect(row(page, tracked)).toContainText('Núm. seguimientoMRW-99');
  const follow = row(page, tracked).getByRole('link', { name: 'Seguir el envío MRW-99' });
  await expect(follow).toHaveAttribute('href', /^https:\/\/www\.mrw\.es\/.*MRW-99$/);
  await expect(follow).toHaveAttribute('target', '_blank');
  await expect(row(page, untracked)).toContainText('Sin seguimiento');
  await expect(row(page, tracked)).toContainText('40,00 €');
  await expect(row(page, unpaid).getByRole('link', { name: /^Pagar/ })).toHaveAttribute('href', unpaid.payment_link ?? 'none');
  await expect(list(page).getByRole('link', { name: /^Pagar/ })).toHaveCount(1);
  await expect(list(page).getByRole('button', { name: /^Cancelar/ })).toHaveCount(1);
  await expectAccessible(page);
});

test('the detail dialog tells the whole order and gives the focus back', async ({ page, api }) => {
  const { person, order } = await reseller(api);
  const pedido = await order({
    cliente_nombre: 'Olga Sur',
    cliente_telefono: '600 11 22 33',
    cliente_ciudad: 'Soria',
    instrucciones: 'Tercer timbre',
    cantidad: 2,
  });
  await open(page, person, '/mis-pedidos');
  const see = row(page, pedido).getByRole('button', { name: /^Ver/ });
  await see.click();
  const dialog = page.getByRole('dialog', { name: `Detalles del Pedido ${pedido.numero_orden}` });
  for (const text of ['Pendiente Pago', '80,00 €', '40,00 €', 'Olga Sur', 'Soria', 'Tercer timbre'])
    await expect(dialog).toContainText(text);
  await expect(dialog.getByRole('link', { name: '600 11 22 33' })).toHaveAttribute('href', 'tel:600112233');
  await expect(dialog.getByText('Envío')).toBeHidden();
  await expect(dialog.getByText('Piso / Puerta / Oficina')).toBeHidden();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(see).toBeFocused();

  // It stands in the address: a reload keeps it, and going back closes it.
  await see.click();
  await expect(dialog).toBeVisible();
  await page.reload();
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL('/mis-pedidos');

  await completed(api, pedido, null);
  await page.reload();
  await row(page, pedido).getByRole('button', { name: /^Ver/ }).click();
  await expect(dialog).toContainText('Sin información de seguimiento disponible');
  await expect(dialog).toContainText('MRW');
  await expect(dialog.getByRole('link', { name: 'Pagar ahora' })).toBeHidden();
});

test('the detail dialog tells every line with its amount', async ({ page, api }) => {
  const { person, order } = await reseller(api);
  const [oil, wine] = [await api.pack({ name: 'Garrafa', pack_price: 10 }), await api.pack({ name: 'Estuche', pack_price: 30 })];
  const lineas = [
    { pack_id: oil.id, cantidad: 3 },
    { pack_id: wine.id, cantidad: 2 },
  ];
  const pedido = await order({ pack_id: null, lineas });
  await open(page, person, '/mis-pedidos');
  await row(page, pedido).getByRole('button', { name: /^Ver/ }).click();
  const lines = page.getByRole('dialog').getByRole('table', { name: 'Líneas del pedido' });
  await expect(lines.getByRole('row')).toHaveText([/Producto/, /– Garrafa.*30,00\s€/, /– Estuche.*60,00\s€/, /Total90,00\s€/]);
  await expectAccessible(page);
});

test('@phone the first order stands within the first half of the screen', async ({ page, api }) => {
  const { person, order } = await reseller(api);
  const pedido = await order();
  await open(page, person, '/mis-pedidos');
  await expect(row(page, pedido)).toBeVisible();
  await expect(card(page, 'Total')).toBeVisible();
  const top = async () => (await row(page, pedido).boundingBox())?.y ?? Number.NaN;
  await expect.poll(top).toBeLessThan(844 / 2);
});

test('the address of an unpaid order is corrected by its reseller, of a paid one no more', async ({ page, api }) => {
  const { person, client, order } = await reseller(api);
  const pedido = await order({ cliente_direccion: 'Calle Mal, 1' });
  const paid = await order();
  await move(api, paid, {});
  await open(page, person, '/mis-pedidos');
  await row(page, pedido).getByRole('button', { name: /^Ver/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Corregir los datos' }).click();
  const form = page.getByRole('form', { name: `Editar el pedido ${pedido.numero_orden}` });
  await expect(form.getByLabel('Fecha estimada')).toHaveCount(0);
  await form.getByLabel('Dirección').fill('Calle Bien, 2');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(page.getByText('El pedido se actualizó correctamente')).toBeVisible();
  const { data } = (await client.call(getPedido, { params: { id: pedido.id } })).body;
  expect(data.cliente_direccion).toBe('Calle Bien, 2');

  await row(page, paid).getByRole('button', { name: /^Ver/ }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Repetir pedido' })).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Corregir los datos' })).toHaveCount(0);
});

test('an order is repeated: the new one is filled in with it, over a draft only when asked', async ({ page, api }) => {
  const { person, order } = await reseller(api);
  const pedido = await order({ cliente_nombre: 'Olga Repite', cliente_ciudad: 'Soria', cantidad: 3 });
  await open(page, person, '/mis-pedidos');
  await row(page, pedido).getByRole('button', { name: /^Ver/ }).click();
  const repeat = () => page.getByRole('dialog').getByRole('button', { name: 'Repetir pedido' }).click();
  await repeat();
  await expect(page).toHaveURL(/\/pedidos\/nuevo$/);
  await expect(page.getByText(`Copiado del pedido ${pedido.numero_orden}`)).toBeVisible();
  await expect(page.getByLabel('Nombre')).toHaveValue('Olga Repite');
  await expect(page.getByLabel('Ciudad')).toHaveValue('Soria');
  await expect(page.getByRole('textbox', { name: 'Cantidad' })).toHaveValue('3');
  await expect(page.getByRole('combobox', { name: 'Pack' })).not.toHaveValue('');
  await page.getByLabel('Ciudad').fill('Ávila');

  // Back at the order, whose dialog stands in the address.
  await page.goBack();
  await repeat();
  await page.getByRole('button', { name: 'Sustituir el borrador' }).click();
  await expect(page.getByLabel('Ciudad')).toHaveValue('Soria');
  await page.getByRole('button', { name: 'Crear Pedido' }).click();
  await expect(page.getByRole('dialog', { name: 'Pedido creado' })).toBeVisible();
});

test('an order of several lines is repeated with those that are still sold, and changed while nobody has paid', async ({ page, api }) => {
  const { person, client } = await reseller(api);
  const [oil, gone, honey] = [
    await api.pack({ pack_price: 10 }),
    await api.pack({ name: 'Caja retirada' }),
    await api.pack({ pack_price: 7 }),
  ];
  const lineas = [{ pack_id: oil.id, cantidad: 2 }, { pack_id: gone.id }, { pack_id: honey.id, cantidad: 3 }];
  const body = { cliente_nombre: 'Olga Varias', cliente_direccion: 'Calle Alta 1', lineas };
  const pedido = (await client.call(createPedido, { body })).body.data;
  await api.admin.call(updatePack, { params: { id: gone.id }, body: { is_active: false } });
  const label = (pack: typeof oil) => `${pack.product_name} – ${pack.name}`;
  await open(page, person, '/mis-pedidos');
  await row(page, pedido).getByRole('button', { name: /^Ver/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Repetir pedido' }).click();
  await expect(page).toHaveURL(/\/pedidos\/nuevo$/);
  await expect(page.getByText(`Ya no se vende: ${label(gone)}`)).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Pack', exact: true })).toHaveValue(label(oil));
  await expect(page.getByRole('combobox', { name: 'Pack 2' })).toHaveValue(label(honey));
  await expect(page.getByRole('textbox', { name: 'Cantidad 2' })).toHaveValue('3');
  await expectFits(page, 'Nuevo Pedido');

  await page.goto(`/mis-pedidos?pedido=${pedido.id}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Cambiar productos' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cambiar productos' });
  const remove = dialog.getByRole('button', { name: 'Quitar la línea 2' });
  await expect(remove).toBeVisible();
  await expectFits(page, 'Cambiar productos');
  await expectAccessible(page);
  await remove.click();
  await dialog.getByRole('textbox', { name: 'Cantidad 2' }).fill('1');
  await dialog.getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(page.getByText(/Pedido actualizado: el total es 27,00\s€/)).toBeVisible();
  await expect(dialog).toBeHidden();
});

test('nobody sees, opens or cancels the order of another reseller @desktop', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 404/);
  const rita = await reseller(api);
  const eva = await reseller(api);
  const pedido = await rita.order({ cliente_nombre: 'Clienta de Rita' });
  await open(page, eva.person, '/mis-pedidos?search=Rita');
  await expect(page.getByText('Ningún pedido coincide con los filtros')).toBeVisible();
  const asked = page.waitForResponse(`**/api/pedidos/${pedido.id}`);
  await page.goto(`/mis-pedidos?search=Rita&pedido=${pedido.id}`);
  expect((await asked).status()).toBe(404);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const params = { id: pedido.id };
  expect((await eva.client.call(getPedido, { params })).status).toBe(404);
  const body = { cliente_nombre: 'Eva', cliente_direccion: 'Calle Ajena 1' };
  expect((await eva.client.call(updatePedido, { params, body })).status).toBe(404);
  expect((await eva.client.call(setEstado, { params, body: { estado: 'cancelado' } })).status).toBe(404);
  expect((await rita.client.call(getPedido, { params })).body.data.estado).toBe('pendiente_pago');
});

test('filters live in the address: they survive reload and back @desktop', async ({ page, api }) => {
  const { person, order } = await reseller(api);
  const olga = await order({ cliente_nombre: 'Olga Sur' });
  const paid = await order({ cliente_nombre: 'Quique Norte' });
  await move(api, paid, {});
  await open(page, person, '/mis-pedidos');
  await expect(rows(list(page))).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Estado' }).click();
  await expect(page.getByRole('option')).toContainText([
    'Todos',
    'Pendiente Pago',
    'Pendiente',
    'Asignado',
    'Completado',
    'Cancelado',
    'En Proceso',
    'En Ruta',
  ]);
  await page.getByRole('option', { name: 'Pendiente', exact: true }).click();
  await expect(row(page, paid)).toBeVisible();
  await expect(row(page, olga)).toBeHidden();
  await expect(page).toHaveURL(/estado=pendiente$/);
  await page.reload();
  await expect(row(page, paid)).toBeVisible();
  await expect(row(page, olga)).toBeHidden();
  await page.goBack();
  await expect(row(page, olga)).toBeVisible();

  await page.getByRole('searchbox').fill('quique');
  await expect(row(page, olga)).toBeHidden();
  await page.getByRole('searchbox').fill('nadie así');
  await expect(page.getByText('Ningún pedido coincide con los filtros')).toBeVisible();
  await page.getByRole('button', { name: 'Quitar los filtros' }).click();
  await expect(rows(list(page))).toHaveCount(2);
  // What an address says by hand and makes no sense is no filter.
  await page.goto('/mis-pedidos?estado=x&fecha_desde=2026-02-30&sort=y&page=0');
  await expect(rows(list(page))).toHaveCount(2);
});

test('each figure opens the list it counts @desktop', async ({ page, api }) => {
  const { person, order } = await reseller(api);
  const orders = [await order(), await order(), await order(), await order(), await order({ cantidad: 3 })];
  const carrier = await api.user('transportista');
  for (const [i, pedido] of orders.slice(1).entries()) {
    await move(api, pedido, {});
    if (i > 0) await api.admin.call(assignTransportista, { params: { id: pedido.id }, body: { transportista_id: carrier.id } });
    if (i > 1) await move(api, pedido, { estado: i === 2 ? 'en_ruta' : 'completado', metodo_entrega: 'correos' });
  }
  await open(page, person, '/mis-pedidos');
  for (const [label, figure, count] of [
    ['Total', '5', 5],
    ['Pendientes', '1', 1],
    ['Asignados', '2', 2],
    ['Completados', '1', 1],
    ['Ventas', '240,00 €', 4],
  ] as const) {
    await expect(card(page, label)).toContainText(figure);
    await card(page, label).click();
    await expect(rows(list(page))).toHaveCount(count);
    await expect(page.getByText(`Mostrando ${count} de ${count} pedidos`)).toBeVisible();
  }
});

test('an unpaid order is cancelled after a question; one paid meanwhile is not', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 409/);
  const { person, order } = await reseller(api);
  const [unwanted, paid] = [await order(), await order()];
  await open(page, person, '/mis-pedidos');
  const dialog = page.getByRole('dialog', { name: 'Cancelar pedido' });
  const ask = (pedido: Order) =>
    row(page, pedido)
      .getByRole('button', { name: /^Cancelar/ })
      .click();
  await ask(unwanted);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Volver' }).click();
  await expect(row(page, unwanted)).toContainText('Pend. pago');
  await ask(unwanted);
  await dialog.getByRole('button', { name: 'Cancelar pedido' }).click();
  await expect(page.getByText('Pedido cancelado')).toBeVisible();
  await expect(row(page, unwanted)).toContainText('Cancelado');
  await expect(row(page, unwanted).getByRole('link', { name: /^Pagar/ })).toBeHidden();

  await ask(paid);
  await move(api, paid, {});
  await dialog.getByRole('button', { name: 'Cancelar pedido' }).click();
  await expect(dialog).toBeHidden();
  await expect(row(page, paid)).toContainText('Pendiente');
  await expect(row(page, paid).getByRole('button', { name: /^Cancelar/ })).toBeHidden();
});

test('the dashboard greets, counts, and shows the latest four', async ({ page, api }) => {
  const { person, client, order } = await reseller(api);
  const orders: Order[] = [];
  for (let i = 0; i < 5; i += 1) orders.push(await order());
  for (const pedido of orders.slice(0, 2)) await move(api, pedido, {});
  await completed(api, orders[2] as Order, null);
  expect((await client.call(listPedidos)).body.total).toBe(5);
  await open(page, person, '/revendedor-dashboard');
  await expect(page.getByRole('heading', { level: 1, name: `Hola, ${person.full_name}` })).toBeVisible();
  for (const [label, figure] of [
    ['Mis Pedidos', '5'],
    ['Ventas Totales', '120,00 €'],
    ['Pedidos Pendientes', '2'],
    ['Completados', '1'],
  ] as const) {
    await expect(card(page, label)).toContainText(figure);
  }
  await expect(page.getByText('Tasa de completados20 %Ticket medio24 €Pendientes2')).toBeVisible();
  await expect(page.getByRole('button', { name: /^ORD-/ })).toContainText(
    [...orders]
      .reverse()
      .slice(0, 4)
      .map((o) => o.numero_orden),
  );
  await expectAccessible(page);
  await page.getByRole('button', { name: /^ORD-/ }).first().click();
  await expect(page.getByRole('dialog', { name: /^Detalles del Pedido/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Ver todos' }).click();
  await expect(rows(list(page))).toHaveCount(5);
});

test('a list longer than a page goes on with Siguiente', async ({ page, api }) => {
  const { person, client, order } = await reseller(api);
  const { pack_id } = await order({ cliente_nombre: 'La primera de todas' });
  const body = { pack_id, cliente_nombre: 'Otra', cliente_direccion: 'Calle 1' };
  for (let i = 0; i < 20; i += 1) await client.call(createPedido, { body });
  await open(page, person, '/mis-pedidos');
  await expect(page.getByText('Mostrando 20 de 21 pedidos')).toBeVisible();
  await expect(page.getByText('La primera de todas')).toBeHidden();
  await page.getByRole('button', { name: 'Siguiente' }).click();
  await expect(page.getByText('La primera de todas')).toBeVisible();
  await expect(page).toHaveURL(/page=2/);
});
