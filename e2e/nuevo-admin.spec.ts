import type { Page } from '@playwright/test';
import { listPedidos } from '../contract/pedidos.ts';
import { updatePack } from '../contract/products.ts';
import { updateSettings } from '../contract/settings.ts';
import { type Arranger, expect, expectAccessible, SUPERADMIN, signIn, test } from './fixtures.ts';

/* A superadmin's new order: what it needs, what it warns of, and that it is made once. */

async function open(page: Page) {
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/pedidos/nuevo-admin');
}
// Name and phone offer known customers.
const field = (page: Page, name: string) =>
  page.getByRole('textbox', { name, exact: true }).or(page.getByRole('combobox', { name, exact: true }));
const create = (page: Page) => page.getByRole('button', { name: 'Crear pedido' });
async function pick(page: Page, label: string, option: string) {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option }).click();
}
async function named(api: Arranger, search: string) {
  return (await api.admin.call(listPedidos, { query: { search } })).body;
}

test('without active packs there is nothing to order', async ({ page }) => {
  await open(page);
  for (const name of ['Datos del Cliente', 'Selección de Pack', 'Resumen']) {
    await expect(page.getByRole('heading', { name })).toBeVisible();
  }
  await expect(page.getByPlaceholder('No hay packs activos')).toBeDisabled();
  await expect(create(page)).toBeDisabled();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Cancelar' }).click();
  await expect(page).toHaveURL('/pedidos');
});

test('pack, name and address make an order, once however often it is sent', async ({ page, api }) => {
  const product = await api.product({ name: 'Aceite' });
  const pack = await api.pack({ product_id: product.id, name: 'Caja de seis', pack_price: 30.5, pack_quantity: 6 });
  const retired = await api.pack({ product_id: product.id, name: 'Caja retirada', is_active: false });
  const reseller = await api.user('revendedor');
  await open(page);
  await expect(create(page)).toBeDisabled();
  await field(page, 'Nombre').fill('  Cova Nueva ');
  await field(page, 'Dirección').fill('Calle Alta, 4');
  await field(page, 'Código Postal').fill('33001');
  await expect(field(page, 'Provincia / Estado')).toHaveValue('Asturias');
  await expect(create(page)).toBeDisabled();

  await page.getByRole('combobox', { name: 'Pack' }).click();
  await expect(page.getByRole('option', { name: retired.name })).toBeHidden();
  await page.getByRole('option', { name: 'Aceite – Caja de seis' }).click();
  await field(page, 'Cantidad').fill('3');
  await pick(page, 'Revendedor (opcional)', reseller.full_name);
  await expect(page.getByRole('definition').filter({ hasText: 'Aceite – Caja de seis' })).toBeVisible();
  await expect(page.getByText(/^91,50\s€$/)).toBeVisible();
  await expectAccessible(page);

  await field(page, 'Nombre').fill(' ');
  await expect(create(page)).toBeDisabled();
  await field(page, 'Nombre').fill('  Cova Nueva ');
  await create(page).dblclick();
  await expect(page.getByText('Pedido creado correctamente')).toBeVisible();
  await expect(page).toHaveURL('/pedidos');
  const { data, total } = await named(api, 'Cova Nueva');
  expect(total).toBe(1);
  expect(data[0]).toMatchObject({
    cliente_nombre: 'Cova Nueva',
    cliente_provincia: 'Asturias',
    cliente_telefono: null,
    pack_id: pack.id,
    cantidad: 3,
    precio_total: 91.5,
    estado: 'pendiente',
    revendedor_id: reseller.id,
  });
});

test('the quantity is a whole number from 1 to 9999', async ({ page, api }) => {
  const pack = await api.pack();
  await open(page);
  await field(page, 'Nombre').fill('Cantidad Rara');
  await field(page, 'Dirección').fill('Calle Alta, 4');
  await pick(page, 'Pack', pack.name);
  for (const typed of ['0', '10000', '', '1,5', '1.5', '-3']) {
    await field(page, 'Cantidad').fill(typed);
    await create(page).click();
    await expect(field(page, 'Cantidad')).toHaveAccessibleDescription('La cantidad debe ser un número entero entre 1 y 9999');
    await expect(field(page, 'Cantidad')).toBeFocused();
  }
  // Nothing is missing, and nothing says so.
  await expect(page.getByText('Completa los campos obligatorios')).toHaveCount(0);
  // What was typed stays as it was typed, and costs nothing.
  await expect(field(page, 'Cantidad')).toHaveValue('-3');
  await expect(page.getByRole('definition').filter({ hasText: '— packs' })).toBeVisible();
  expect((await named(api, 'Cantidad Rara')).total).toBe(0);
});

test('a free line, shipping and discount are the superadmin’s to write', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 422/);
  const pack = await api.pack({ pack_price: 20 });
  const rates = (euros: number) => api.admin.call(updateSettings, { body: { shippingPeninsula: euros } });
  await rates(4.95);
  await open(page);
  await field(page, 'Nombre').fill('Lola Libre');
  await field(page, 'Dirección').fill('Calle Alta, 4');
  await pick(page, 'Pack', pack.name);
  await expect(field(page, 'Envío (€)')).toHaveAttribute('placeholder', '4,95');
  await page.getByRole('button', { name: 'Añadir línea libre' }).click();
  await expect(field(page, 'Descripción 2')).toBeFocused();
  await expect(create(page)).toBeDisabled();
  await page.keyboard.type('Grabado');
  await create(page).click();
  await expect(field(page, 'Precio 2 (€)')).toHaveAccessibleDescription('Indica el precio');
  await expect(field(page, 'Precio 2 (€)')).toBeFocused();
  await page.keyboard.type('4,5');
  await field(page, 'Cantidad 2').fill('2');
  await expect(page.getByText(/^33,95\s€$/)).toBeVisible();

  await field(page, 'Envío (€)').fill('0');
  await field(page, 'Descuento (€)').fill('40');
  await expect(page.getByRole('alert').filter({ hasText: 'El descuento no puede superar el importe del pedido' })).toBeVisible();
  await create(page).click();
  await expect(field(page, 'Descuento (€)')).toHaveAccessibleDescription('El descuento no puede superar el importe del pedido');
  await field(page, 'Descuento (€)').fill('1,5');
  await expect(page.getByText(/^27,50\s€$/)).toBeVisible();
  await expectAccessible(page);
  await create(page).click();
  await expect(page).toHaveURL('/pedidos');
  const { data } = await named(api, 'Lola Libre');
  expect(data).toMatchObject([{ precio_total: 27.5, envio: 0, descuento: 1.5, cantidad: 3 }]);
  await rates(0);
});

test('an order of only a free line needs no pack', async ({ page, api }) => {
  await open(page);
  await field(page, 'Nombre').fill('Luis Libre');
  await field(page, 'Dirección').fill('Calle Alta, 5');
  await page.getByRole('button', { name: 'Añadir línea libre' }).click();
  await expect(field(page, 'Descripción')).toBeFocused();
  await page.keyboard.type('Reparación');
  await field(page, 'Precio (€)').fill('15');
  await create(page).click();
  await expect(page).toHaveURL('/pedidos');
  expect((await named(api, 'Luis Libre')).data).toMatchObject([{ producto: 'Reparación', precio_total: 15 }]);
});

test('a form that is left with something in it asks first', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'Cancelar' }).click();
  await page.getByRole('link', { name: 'Crear pedido' }).click();
  await field(page, 'Dirección').fill('Calle Alta, 4');
  const question = page.getByRole('dialog', { name: 'Descartar los cambios' });
  await page.goBack();
  await question.getByRole('button', { name: 'Seguir editando' }).click();
  await expect(question).toBeHidden();
  await expect(page).toHaveURL('/pedidos/nuevo-admin');
  await expect(field(page, 'Dirección')).toHaveValue('Calle Alta, 4');
  const asked = page.waitForEvent('dialog');
  await page.evaluate(() => void setTimeout(() => location.reload()));
  expect((await asked).type()).toBe('beforeunload');
  await (await asked).dismiss();
  await expect(field(page, 'Dirección')).toHaveValue('Calle Alta, 4');
  await page.getByRole('button', { name: 'Cancelar' }).click();
  await question.getByRole('button', { name: 'Descartar' }).click();
  await expect(page).toHaveURL('/pedidos');
});

test('what looks wrong is said, and does not stand in the way', async ({ page, api }) => {
  const pack = await api.pack();
  const before = await api.pedido({ cliente_nombre: 'Rafa Repetido', cliente_telefono: '+34 611 22 33 44' });
  await open(page);
  const warnings = page.getByRole('note').filter({ hasText: 'Revisa antes de crear' });
  await pick(page, 'Pack', pack.name);
  await field(page, 'Nombre').fill('Otro Nombre');
  await field(page, 'Dirección').fill('Calle Baja, 5');
  await field(page, 'Provincia / Estado').fill('Toledo');
  await field(page, 'Código Postal').fill('28013');
  await expect(warnings).toContainText('El código postal 28013 es de Madrid, no de Toledo.');
  await field(page, 'Código Postal').fill('ES-28 013');
  await expect(warnings).toContainText('El código postal ES-28 013 es de Madrid, no de Toledo.');
  await field(page, 'Teléfono').fill('6112233');
  await expect(warnings).toContainText('El teléfono 6112233 no parece completo.');
  await field(page, 'Teléfono').fill('611 22 33 44');
  await expect(warnings).toContainText(`Puede ser el mismo que ${before.numero_orden}`);
  await expectAccessible(page);
  await create(page).click();
  await expect(page).toHaveURL('/pedidos');
  expect((await named(api, 'Otro Nombre')).total).toBe(1);
});

test('too little stock is said under the quantity, and the form stays', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 422/);
  const product = await api.product({ stock: 5 });
  const pack = await api.pack({ product_id: product.id, pack_quantity: 2 });
  await open(page);
  await field(page, 'Nombre').fill('Sin Existencias');
  await field(page, 'Dirección').fill('Calle Alta, 4');
  await pick(page, 'Pack', pack.name);
  await field(page, 'Cantidad').fill('3');
  await create(page).click();
  await expect(page.getByRole('alert').filter({ hasText: /^Stock insuficiente de .*: quedan 2 packs/ })).toBeVisible();
  await expect(field(page, 'Cantidad')).toHaveAccessibleDescription(/Stock insuficiente/);
  await expect(field(page, 'Nombre')).toHaveValue('Sin Existencias');
  await field(page, 'Cantidad').fill('2');
  await create(page).click();
  await expect(page).toHaveURL('/pedidos');
});

test('a pack withdrawn meanwhile is not a valid one', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 422/);
  const pack = await api.pack();
  await open(page);
  await field(page, 'Nombre').fill('Tarde');
  await field(page, 'Dirección').fill('Calle Alta, 4');
  await pick(page, 'Pack', pack.name);
  const { name, alias, pack_quantity, pack_price } = pack;
  await api.admin.call(updatePack, { params: { id: pack.id }, body: { name, alias, pack_quantity, pack_price, is_active: false } });
  await create(page).click();
  await expect(page.getByRole('combobox', { name: 'Pack' })).toHaveAccessibleDescription('Selecciona un pack válido');
  await expect(field(page, 'Nombre')).toHaveValue('Tarde');
});

test('what the form needs may fail to come, and an order to be made', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 500/);
  const pack = await api.pack();
  const broken = { status: 500, json: { message: 'Ha ocurrido un error inesperado' } };
  await page.route('**/api/product-packs', (route) => route.fulfill(broken));
  await open(page);
  await expect(page.getByRole('alert').filter({ hasText: 'No se pudieron cargar datos iniciales' })).toBeVisible();
  await page.unroute('**/api/product-packs');
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await pick(page, 'Pack', pack.name);
  await field(page, 'Nombre').fill('Fallida');
  await field(page, 'Dirección').fill('Calle Alta, 4');

  await page.route('**/api/pedidos', (route) => route.fulfill(broken));
  await create(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'No se pudo crear el pedido' })).toBeVisible();
  await expect(field(page, 'Nombre')).toHaveValue('Fallida');
  await page.unroute('**/api/pedidos');
  await create(page).click();
  await expect(page).toHaveURL('/pedidos');
});
