import type { Page } from '@playwright/test';
import { hideLog } from '../contract/audit.ts';
import { assignTransportista, setEstado, updatePedido } from '../contract/pedidos.ts';
import { expect, expectAccessible, rows, SUPERADMIN, signIn, test } from './fixtures.ts';

/* The administration panel: orders to move, what carriers have delivered, who did what. */

async function open(page: Page, search = '') {
  if (!page.url().startsWith('http')) await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto(`/admin${search}`);
}
const panel = (page: Page) => page.getByRole('tabpanel');
/** A row on a desktop, its card on a phone. */
const row = (page: Page, text: string) => rows(panel(page)).filter({ hasText: text });
async function choose(page: Page, label: string, option: string) {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

test('without anything, each tab says so', async ({ page }) => {
  await open(page);
  await expect(page.getByRole('tab', { name: 'Pedidos' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText('Todavía no hay pedidos')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Resumen Transportistas' }).click();
  await expect(page.getByText('Ningún pedido completado en este periodo')).toBeVisible();
  await expectAccessible(page);
  await open(page, '?tab=logs&entity=pedido');
  await expect(page.getByText('Ningún registro coincide con los filtros')).toBeVisible();
});

test('the tabs are walked by keyboard, stay in the address, and leave their filters behind', async ({ page }) => {
  await open(page, '?search=nadie');
  await page.getByRole('tab', { name: 'Pedidos' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL('/admin?tab=transportistas');
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL('/admin?tab=logs');
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Logs' })).toHaveAttribute('aria-selected', 'true');
  await page.goBack();
  await expect(page.getByRole('tab', { name: 'Resumen Transportistas' })).toHaveAttribute('aria-selected', 'true');
});

test('orders are found by number or customer, estado and people', async ({ page, api }) => {
  const pack_id = (await api.pack({ pack_price: 617.25 })).id;
  const carrier = await api.user('transportista');
  const reseller = await api.user('revendedor');
  const free = await api.pedido({
    pack_id,
    cantidad: 2,
    cliente_nombre: 'Óscar Panel',
    cliente_direccion: 'Calle del Pez, 7',
    revendedor_id: reseller.id,
  });
  const taken = await api.pedido({ pack_id, cliente_nombre: 'Óscar Panel' });
  await api.admin.call(assignTransportista, { params: { id: taken.id }, body: { transportista_id: carrier.id } });
  await open(page);
  const search = page.getByPlaceholder('Buscar por Nº de orden o cliente');
  await search.fill(free.numero_orden);
  await expect(page.getByText('Página 1 de 1 — 1 pedido', { exact: true })).toBeVisible();
  for (const text of ['Óscar Panel', 'Calle del Pez, 7', 'Sin asignar', 'Pendiente', '1.234,50']) {
    await expect(row(page, free.numero_orden)).toContainText(text);
  }
  await search.fill('oscar pan');
  await expect(page.getByText('Página 1 de 1 — 2 pedidos')).toBeVisible();
  await expectAccessible(page);

  await choose(page, 'Transportista', carrier.full_name);
  await expect(row(page, taken.numero_orden)).toBeVisible();
  await expect(row(page, free.numero_orden)).toBeHidden();
  await choose(page, 'Transportista', 'Sin asignar');
  await expect(row(page, free.numero_orden)).toBeVisible();
  await choose(page, 'Revendedor', reseller.full_name);
  await page.reload();
  await expect(page.getByText('Página 1 de 1 — 1 pedido', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Estado: Todos' }).click();
  await expect(page.getByRole('menuitemcheckbox')).toHaveText([
    'Todos',
    'Pendiente',
    'Asignado',
    'En Ruta',
    'Completado',
    'Cancelado',
    'Pendiente Pago',
    'En Proceso',
  ]);
  await page.getByRole('menuitemcheckbox', { name: 'En Ruta' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByText('Ningún pedido coincide con los filtros')).toBeVisible();
  await page.getByRole('button', { name: 'Quitar filtros' }).first().click();
  await expect(page).toHaveURL('/admin');
});

test('@desktop the columns of the orders', async ({ page, api }) => {
  await api.pedido();
  await open(page);
  const heads = ['#', 'Cliente', 'Revendedor', 'Transportista', 'Estado', 'Total', 'Fecha', 'Acciones'];
  await expect(panel(page).getByRole('columnheader')).toHaveText(heads);
});

test('an order is given to another carrier, duplicated and deleted from its row', async ({ page, api }) => {
  const [first, second] = [await api.user('transportista'), await api.user('transportista')];
  const pedido = await api.pedido({ cliente_nombre: 'Berta Filas' });
  await api.admin.call(assignTransportista, { params: { id: pedido.id }, body: { transportista_id: first.id } });
  await open(page, '?search=berta%20filas');
  const menu = (numero: string) => page.getByRole('button', { name: `Acciones del pedido ${numero}` });
  await menu(pedido.numero_orden).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Reasignar', 'Duplicar', 'Eliminar']);
  await page.getByRole('menuitem', { name: 'Reasignar' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reasignar' });
  await dialog.getByRole('combobox', { name: 'Transportista', exact: true }).click();
  await page.getByRole('option', { name: second.full_name }).click();
  await dialog.getByRole('combobox', { name: 'Empresa de transporte' }).click();
  await page.getByRole('option', { name: 'MRW' }).click();
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await expect(dialog).toBeHidden();
  await expect(row(page, pedido.numero_orden)).toContainText(second.full_name);
  await expect(menu(pedido.numero_orden)).toBeFocused();

  await menu(pedido.numero_orden).click();
  await page.getByRole('menuitem', { name: 'Duplicar' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Duplicar' }).click();
  await expect(page.getByText('Página 1 de 1 — 2 pedidos')).toBeVisible();

  await menu(pedido.numero_orden).click();
  await page.getByRole('menuitem', { name: 'Eliminar' }).click();
  await expect(page.getByText('Página 1 de 1 — 1 pedido', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect(page.getByText('Página 1 de 1 — 2 pedidos')).toBeVisible();
});

test('twenty orders a page', async ({ page, api }) => {
  const pack_id = (await api.pack()).id;
  for (let i = 0; i < 21; i += 1) await api.pedido({ pack_id, cliente_nombre: `Paginada ${i}` });
  await open(page, '?search=paginada');
  await expect(page.getByText('Página 1 de 2 — 21 pedidos')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Anterior' })).toBeDisabled();
  await page.getByRole('button', { name: 'Siguiente' }).click();
  await expect(page.getByText('Página 2 de 2 — 21 pedidos')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Siguiente' })).toBeDisabled();
  await expect(page).toHaveURL(/page=2/);
});

test('what each carrier has completed, and the orders themselves', async ({ page, api }) => {
  const carrier = await api.user('transportista');
  const now = Date.now();
  for (const hours of [2, 5]) {
    const pedido = await api.pedido({ fecha_pedido: new Date(now - hours * 3_600_000).toISOString() });
    await api.admin.call(assignTransportista, { params: { id: pedido.id }, body: { transportista_id: carrier.id } });
    await api.admin.call(setEstado, { params: { id: pedido.id }, body: { estado: 'completado', metodo_entrega: 'manual' } });
  }
  const alone = await api.pedido();
  await api.admin.call(setEstado, { params: { id: alone.id }, body: { estado: 'completado', metodo_entrega: 'correos' } });
  await open(page, '?tab=transportistas');
  await expect(page.getByRole('combobox', { name: 'Periodo' })).toHaveValue('30 días');
  await expect(row(page, carrier.full_name)).toContainText('2');
  await expect(row(page, carrier.full_name)).toContainText('3 h 30 min');
  await expect(row(page, 'Sin asignar')).toContainText('1');
  await expect(page.getByRole('status').filter({ hasText: '3 pedidos completados' })).toBeVisible();
  await expectAccessible(page);
  await choose(page, 'Periodo', 'Hoy');
  await expect(page).toHaveURL('/admin?tab=transportistas&periodo=hoy');
  await expect(row(page, carrier.full_name)).toContainText('2');

  await row(page, carrier.full_name).getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(`/pedidos\\?transportista_id=${carrier.id}&completado_desde=\\d{4}-\\d{2}-\\d{2}$`));
  await expect(page.getByRole('button', { name: /^Quitar filtro: Completados desde el / })).toBeVisible();
  await expect(page.getByText('Mostrando 2 de 2 pedidos')).toBeVisible();
  await page.goBack();
  await row(page, 'Sin asignar').getByRole('link').click();
  await expect(page.getByText('Mostrando 1 de 1 pedidos')).toBeVisible();
});

test('the log says what changed, before and after', async ({ page, api }) => {
  const pedido = await api.pedido({ cliente_nombre: 'Antes Pérez', cliente_direccion: 'Calle Vieja, 1' });
  await api.admin.call(updatePedido, {
    params: { id: pedido.id },
    body: { cliente_nombre: 'Después Pérez', cliente_direccion: 'Calle Vieja, 1' },
  });
  await open(page, '?tab=logs');
  await choose(page, 'Acción', 'Modificación');
  await choose(page, 'Entidad', 'Pedido');
  await expect(page).toHaveURL('/admin?tab=logs&action=update&entity=pedido');
  const entry = row(page, pedido.numero_orden).first();
  await expect(entry).toContainText(/[0-9a-f]{8} · Administrador/);
  await expect(entry).toContainText('Modificación');
  const toggle = entry.getByRole('button', { name: 'Ver cambios' });
  await toggle.focus();
  await page.keyboard.press('Enter');
  await expect(entry.getByRole('row', { name: 'Nombre Antes Pérez Después Pérez', exact: true })).toBeVisible();
  await expectAccessible(page);
  await entry.getByRole('button', { name: 'Ocultar cambios' }).click();
  await expect(entry.getByRole('row', { name: /^Nombre/ })).toBeHidden();
});

test('the log speaks as the screens do, and offers no changes where there are none to see', async ({ page, api }) => {
  const pedido = await api.pedido();
  await api.admin.call(setEstado, { params: { id: pedido.id }, body: { estado: 'completado', metodo_entrega: 'manual' } });
  await open(page, '?tab=logs');
  const entry = row(page, `Completar: ${pedido.numero_orden}`);
  await entry.getByRole('button', { name: 'Ver cambios' }).click();
  await expect(entry.getByRole('row', { name: 'Estado Pendiente Completado', exact: true })).toBeVisible();
  await expect(entry.getByRole('row', { name: 'Método de entrega — Entrega manual', exact: true })).toBeVisible();
  await choose(page, 'Acción', 'Inicio de sesión');
  await expect(row(page, 'Inicio de sesión').first()).toBeVisible();
  await expect(panel(page).getByRole('button', { name: 'Ver cambios' })).toHaveCount(0);
});

test('a row of the log is deleted after asking, and that leaves another', async ({ page, api }) => {
  const person = await api.user('revendedor');
  await open(page, '?tab=logs&action=create&entity=profile');
  const entry = row(page, person.full_name);
  await entry.getByRole('button', { name: /^Eliminar el registro/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Eliminar registro' });
  await expect(dialog).toContainText('también queda registrado');
  await dialog.getByRole('button', { name: 'Cancelar' }).click();
  await expect(entry).toBeVisible();
  await entry.getByRole('button', { name: /^Eliminar el registro/ }).click();
  await dialog.getByRole('button', { name: 'Eliminar' }).click();
  await expect(entry).toBeHidden();
  await open(page, '?tab=logs&entity=audit');
  await expect(row(page, person.full_name)).toContainText('Registro ocultado');
});

test('the log has twenty rows a page', async ({ page, api }) => {
  for (let i = 0; i < 21; i += 1) await api.user('transportista');
  await open(page, '?tab=logs&action=create&entity=profile');
  await expect(page.getByText(/^Página 1 de \d — \d+ registros$/)).toBeVisible();
  await expect(row(page, 'Creación')).toHaveCount(20);
  await page.getByRole('button', { name: 'Siguiente' }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(page.getByText(/^Página 2 de \d — \d+ registros$/)).toBeVisible();
});

test('what cannot be loaded says so and tries again', async ({ page, allowErrors }) => {
  allowErrors(/status of 500/);
  await open(page);
  await page.route(/\/api\/(logs|stats\/transportistas)/, (route) =>
    route.fulfill({ status: 500, json: { message: 'Ha ocurrido un error inesperado' } }),
  );
  await page.getByRole('tab', { name: 'Resumen Transportistas' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'No se pudo cargar el resumen' })).toBeVisible();
  await page.getByRole('tab', { name: 'Logs' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'No se pudieron cargar los registros' })).toBeVisible();
  await page.unroute(/\/api\/(logs|stats\/transportistas)/);
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(row(page, 'Inicio de sesión').first()).toBeVisible();
});

test('a reseller who knows the address is sent home, and the log is not theirs', async ({ openAs, api }) => {
  const reseller = await api.user('revendedor');
  const page = await openAs(reseller);
  await page.goto('/admin?tab=logs');
  await expect(page).toHaveURL('/revendedor-dashboard');
  const client = await api.as(reseller);
  expect((await client.call(hideLog, { params: { id: reseller.id } })).status).toBe(403);
});
