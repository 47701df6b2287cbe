import type { Page } from '@playwright/test';
import { assignTransportista, createPedido, getPedido, setEstado } from '../contract/pedidos.ts';
import { dayInMadrid, spanishDay } from '../test/day.ts';
import { expect, expectAccessible, row, rows, SUPERADMIN, signIn, test } from './fixtures.ts';

/* «Gestión de Pedidos»: every order in one list, found by what one remembers of it. */

async function open(page: Page, search = '') {
  if (!page.url().startsWith('http')) await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto(`/pedidos${search}`);
}
/** On a phone the filters but the search wait behind a button. */
async function showFilters(page: Page) {
  const button = page.getByRole('button', { name: 'Filtros', exact: true });
  if ((await button.isVisible()) && (await button.getAttribute('aria-expanded')) === 'false') await button.click();
}

test('without orders, the list says how the first one comes', async ({ page }) => {
  await open(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Gestión de Pedidos' })).toBeVisible();
  await expect(page.getByText('Todavía no hay pedidos')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('main').getByRole('link', { name: 'Crear pedido' }).last().click();
  await expect(page).toHaveURL('/pedidos/nuevo-admin');
});

test('an order is a row with its customer, people, estado, total and day', async ({ page, api }) => {
  const pack = await api.pack({ pack_price: 617.25 });
  const reseller = await api.user('revendedor');
  const pedido = await api.pedido({
    pack_id: pack.id,
    cantidad: 2,
    revendedor_id: reseller.id,
    cliente_nombre: 'Nuria Peña',
    cliente_telefono: '600 11 22 33',
    cliente_direccion: 'Calle del Pez, 7',
    cliente_direccion2: '3.º B',
    cliente_codigo_postal: '28004',
    cliente_ciudad: 'Madrid',
    cliente_provincia: 'Madrid',
  });
  await open(page);
  const shown = row(page, pedido.numero_orden);
  for (const text of ['Nuria Peña', '600 11 22 33', 'Calle del Pez, 7, 3.º B, 28004 Madrid', 'Sin asignar', 'Pendiente', '1.234,50']) {
    await expect(shown).toContainText(text);
  }
  await expect(shown).toContainText(spanishDay(dayInMadrid(pedido.fecha_pedido)));
  await expectAccessible(page);
});

test('@desktop the columns are those of the business, and sort at the server', async ({ page, api }) => {
  await api.pedido({ cliente_nombre: 'Zacarías Último' });
  await api.pedido({ cliente_nombre: 'Abel Primero' });
  await open(page);
  // The first is the tick's.
  const heads = ['', 'ID Pedido', 'Cliente', 'Revendedor', 'Transportista', 'Estado', 'Total', 'Fecha', 'Acciones'];
  await expect(page.getByRole('columnheader')).toHaveText(heads);

  const first = rows(page.getByRole('table')).first();
  const head = (name: string) => page.getByRole('columnheader', { name });
  await head('Cliente').getByText('Cliente').click();
  await expect(first).toContainText('Abel Primero');
  await expect(page).toHaveURL(/sort=cliente_nombre&dir=asc/);
  await expect(head('Cliente')).toHaveAttribute('aria-sort', 'ascending');
  await expect(head('Cliente').getByRole('img', { name: 'de menor a mayor' })).toBeVisible();
  await expect(head('Estado')).toHaveAttribute('aria-sort', 'none');
  await expect(head('Estado').getByRole('img', { name: 'sin ordenar' })).toBeVisible();
  await head('Cliente').getByText('Cliente').click();
  await expect(first).toContainText('Zacarías Último');
  await expect(head('Cliente')).toHaveAttribute('aria-sort', 'descending');
  await page.reload();
  await expect(first).toContainText('Zacarías Último');
});

test('search and filters stay in the address and come back with it', async ({ page, api }) => {
  const carrier = await api.user('transportista');
  const mine = await api.pedido({ cliente_nombre: 'Óscar Búsqueda' });
  const other = await api.pedido({ cliente_nombre: 'Óscar Búsqueda', cliente_direccion: 'Otra calle' });
  await api.admin.call(assignTransportista, {
    params: { id: other.id },
    body: { transportista_id: carrier.id, empresa_transporte: 'mrw' },
  });
  await open(page);

  const search = page.getByPlaceholder('Buscar por cliente, ID o revendedor...');
  await search.fill('oscar busq');
  await expect(page.getByText('Mostrando 2 de 2 pedidos')).toBeVisible();
  await expect(page).toHaveURL(/search=oscar/);

  await showFilters(page);
  await page.getByRole('button', { name: 'Estado: Todos' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Asignado' }).click();
  await expect(page.getByText('Mostrando 1 de 1 pedidos')).toBeVisible();
  await page.getByRole('menuitemcheckbox', { name: 'Pendiente', exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByText('Mostrando 2 de 2 pedidos')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Estado: 2 estados' })).toBeFocused();

  await page.getByRole('combobox', { name: 'Transportista' }).click();
  await page.getByRole('option', { name: 'Sin asignar' }).click();
  await expect(row(page, mine.numero_orden)).toBeVisible();
  await expect(row(page, other.numero_orden)).toBeHidden();

  await page.goBack();
  await expect(row(page, other.numero_orden)).toBeVisible();
  await page.reload();
  await expect(page.getByText('Mostrando 2 de 2 pedidos')).toBeVisible();
  await expect(search).toHaveValue('oscar busq');

  await showFilters(page);
  const more = page.getByRole('button', { name: 'Más filtros' });
  if (await more.isVisible()) await more.click();
  await page.getByRole('combobox', { name: 'Empresa de transporte' }).click();
  await page.getByRole('option', { name: 'MRW' }).click();
  await expect(row(page, mine.numero_orden)).toBeHidden();
  await expect(row(page, other.numero_orden)).toContainText(carrier.full_name);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Quitar filtros' }).click();
  await expect(page).toHaveURL('/pedidos');

  await search.fill('nadie se llama así');
  await expect(page.getByText('Ningún pedido coincide con los filtros')).toBeVisible();
});

test('an address written by hand does not break the list', async ({ page, api }) => {
  const pedido = await api.pedido();
  await open(page, '?estado=inventado&sort=precio&dir=arriba&transportista_id=pepe&fecha_desde=ayer&page=-3');
  await expect(row(page, pedido.numero_orden)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Quitar filtros' })).toBeHidden();
});

test('twenty rows a page, and Siguiente brings the rest', async ({ page, api }) => {
  const pack_id = (await api.pack()).id;
  for (let i = 0; i < 21; i += 1) await api.pedido({ pack_id, cliente_nombre: `Paginada ${i}` });
  await open(page, '?search=paginada');
  await expect(page.getByText('Mostrando 20 de 21 pedidos')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Anterior' })).toBeDisabled();
  await page.getByRole('button', { name: 'Siguiente' }).click();
  await expect(page.getByText('Mostrando 1 de 21 pedidos')).toBeVisible();
  await expect(page).toHaveURL(/page=2/);
  await expect(page.getByRole('button', { name: 'Siguiente' })).toBeDisabled();
  await page.getByRole('button', { name: 'Anterior' }).click();
  await expect(page.getByText('Mostrando 20 de 21 pedidos')).toBeVisible();
});

test('a list that cannot be loaded says so and tries again', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 500/);
  const pedido = await api.pedido();
  await open(page, '/nuevo-admin');
  // Until something is pressed, for the list also asks by itself: after a failure that came before the screen, when the stream opens.
  await page.route('**/api/pedidos?*', async (route) => {
    await expect(page.getByRole('heading', { name: 'Gestión de Pedidos' })).toBeVisible();
    if (await page.evaluate(() => 'pressed' in window)) return route.continue();
    await route.fulfill({ status: 500, json: { message: 'Ha ocurrido un error inesperado' } });
  });
  await page.goto('/pedidos');
  await page.evaluate(() => document.addEventListener('click', () => Object.assign(window, { pressed: true }), true));
  await expect(page.getByRole('alert').filter({ hasText: 'No se pudieron cargar los pedidos' })).toBeVisible();
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(row(page, pedido.numero_orden)).toBeVisible();
});

test('without a network the list says so, and goes on by itself when it is back', async ({ page, api, context, allowErrors }) => {
  allowErrors(/ERR_INTERNET_DISCONNECTED/);
  const pack_id = (await api.pack()).id;
  for (let i = 0; i < 21; i += 1) await api.pedido({ pack_id, cliente_nombre: `Lejana ${i}` });
  await open(page, '?search=lejana');
  await expect(page.getByText('Mostrando 20 de 21 pedidos')).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Siguiente' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'No se pudieron cargar los pedidos' })).toBeVisible({ timeout: 10_000 });
  await context.setOffline(false);
  await expect(page.getByText('Mostrando 1 de 21 pedidos')).toBeVisible();
});

test('the sum of what is listed stands beside its estados', async ({ page, api }) => {
  const pack = await api.pack({ pack_price: 12.5 });
  const reseller = await api.user('revendedor');
  for (let i = 0; i < 2; i += 1) await api.pedido({ pack_id: pack.id, revendedor_id: reseller.id, estado: 'pendiente' });
  await open(page, `?revendedor_id=${reseller.id}&estado=pendiente`);
  await expect(page.getByText('Suman 25,00 €')).toBeVisible();
});

test('a reseller who knows the address is sent home, and another’s order does not exist for them', async ({ openAs, api }) => {
  const reseller = await api.user('revendedor');
  const pedido = await api.pedido();
  const page = await openAs(reseller);
  for (const path of ['/pedidos', `/pedidos/${pedido.id}/editar`, '/entregas']) {
    await page.goto(path);
    await expect(page).toHaveURL('/revendedor-dashboard');
  }
  const client = await api.as(reseller);
  expect((await client.call(getPedido, { params: { id: pedido.id } })).status).toBe(404);
  expect((await client.call(setEstado, { params: { id: pedido.id }, body: { estado: 'cancelado' } })).status).toBe(404);
  expect((await client.call(createPedido, { body: { cliente_nombre: '', cliente_direccion: '' } })).status).toBe(422);
});
