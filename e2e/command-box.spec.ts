import type { Page } from '@playwright/test';
import { assignTransportista } from '../contract/pedidos.ts';
import { expect, expectAccessible, expectTheme, SUPERADMIN, signIn, test } from './fixtures.ts';

/* «Buscar o ir a»: every screen, order, person and action by a few letters, and the shortcuts of the keyboard. */

const asAdmin = (page: Page) => signIn(page, SUPERADMIN.email, SUPERADMIN.password);
const box = (page: Page) => page.getByRole('dialog', { name: 'Buscar o ir a' });
const field = (page: Page) => page.getByRole('combobox', { name: 'Buscar o ir a' });
const option = (page: Page, name: string | RegExp) => box(page).getByRole('option', { name });
async function openBox(page: Page) {
  if (page.url() === 'about:blank') await page.goto('/');
  await page.getByRole('button', { name: /^Buscar o ir a/ }).click();
  await expect(field(page)).toBeFocused();
}

test('a screen by a few letters of its name', async ({ page }) => {
  await asAdmin(page);
  await openBox(page);
  await expect(option(page, 'Control de Stock')).toBeVisible();
  await expectAccessible(page);
  await field(page).fill('gestion us');
  await expect(box(page).getByRole('option')).toHaveCount(1);
  await field(page).press('Enter');
  await expect(page).toHaveURL('/gestion-usuarios');
  await expect(box(page)).toBeHidden();
});

test('the words that people use lead to the screen, the tab or the action', async ({ page, openAs, api }) => {
  const first = async (window: Page, table: Record<string, string>) => {
    await openBox(window);
    for (const [typed, label] of Object.entries(table)) {
      await field(window).fill(typed);
      await expect(box(window).getByRole('option').first(), typed).toContainText(label);
    }
  };
  await asAdmin(page);
  await first(page, {
    'nuevo pedido': 'Crear pedido',
    'mi cuenta': 'Mi cuenta',
    contraseña: 'Mi cuenta',
    administración: 'Panel',
    'resumen transportistas': 'Resumen Transportistas',
    productos: 'Control de Stock',
    packs: 'Control de Stock',
    inventario: 'Control de Stock',
    usuarios: 'Gestión de Usuarios',
    revendedores: 'Revendedores',
    ajustes: 'Configuración',
    'descargar excel': 'Exportar Datos',
    'modo oscuro': 'Cambiar a tema oscuro',
    dark: 'Cambiar a tema oscuro',
    'cerrar sesion': 'Cerrar sesión',
    logs: 'Logs',
  });
  await field(page).press('Enter');
  await expect(page.getByRole('tab', { name: 'Logs', selected: true })).toBeVisible();
  await first(page, { transportistas: 'Transportistas' });
  await field(page).press('Enter');
  await expect(page).toHaveURL('/gestion-usuarios?rol=transportista');

  const reseller = await openAs(await api.user('revendedor'));
  await first(reseller, { 'crear pedido': 'Nuevo Pedido', 'mi cuenta': 'Mi cuenta' });
  for (const foreign of ['logs', 'ajustes', 'transportistas']) {
    await field(reseller).fill(foreign);
    await expect(box(reseller)).toContainText('Nada coincide');
  }
});

test('an order by its number, a person by name and a product by name', async ({ page, api }) => {
  const reseller = await api.user('revendedor', { full_name: 'Íñigo Ochoa' });
  const product = await api.product({ name: 'Turrón blando', stock: 42 });
  const pack = await api.pack({ product_id: product.id });
  const pedido = await api.pedido({ pack_id: pack.id, cliente_nombre: 'Úrsula Iguarán' });
  await asAdmin(page);
  await openBox(page);
  await field(page).fill('ursula');
  await expect(option(page, `${pedido.numero_orden} · Úrsula Iguarán`)).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(page);
  await field(page).press('Enter');
  await expect(page).toHaveURL(`/pedidos/${pedido.id}`);

  await openBox(page);
  await field(page).fill('inigo');
  await option(page, /^Íñigo Ochoa/).click();
  await expect(page).toHaveURL(/\/gestion-usuarios\?/);
  await expect(page.getByRole('main')).toContainText(reseller.email);

  await openBox(page);
  await field(page).fill('turron');
  await option(page, /^Turrón blando/).click();
  await expect(page).toHaveURL(/\/control-stock\?producto=/);

  await openBox(page);
  await field(page).fill('zzzz');
  await expect(box(page)).toContainText('Nada coincide con «zzzz»');
});

test('a customer by name or telephone; a reseller finds their own alone, a carrier none', async ({ page, api, openAs }) => {
  const reseller = await api.user('revendedor');
  await api.pedido({ cliente_nombre: 'Remedios Buendía', cliente_telefono: '600 778 899' }, await api.as(reseller));
  await asAdmin(page);
  const found = (window: Page) => option(window, /^Remedios Buendía/);
  await openBox(page);
  await field(page).fill('600778899');
  await expect(found(page)).toContainText('1 pedido');
  await found(page).click();
  await expect(page).toHaveURL(/\/clientes\/[\w-]+$/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Remedios Buendía');
  for (const [person, count] of [
    [reseller, 1],
    [await api.user('revendedor'), 0],
    [await api.user('transportista'), 0],
  ] as const) {
    const window = await openAs(person);
    await openBox(window);
    await field(window).fill('remedios');
    await expect(
      box(window)
        .getByRole('option', { name: /Remedios Buendía/ })
        .or(box(window).getByText('Nada coincide'))
        .first(),
    ).toBeVisible();
    await expect(found(window)).toHaveCount(count);
  }
});

test('Enter before the answer opens what was typed, not what was there', async ({ page, api }) => {
  const pack = await api.pack();
  await api.pedido({ pack_id: pack.id, cliente_nombre: 'Teodora Primera' });
  const wanted = await api.pedido({ pack_id: pack.id, cliente_nombre: 'Segismundo Segundo' });
  await asAdmin(page);
  await openBox(page);
  await field(page).fill('teodora');
  await expect(option(page, /· Teodora Primera/)).toBeVisible();
  await field(page).fill('segismundo');
  await field(page).press('Enter');
  await expect(page).toHaveURL(`/pedidos/${wanted.id}`);
});

test('each role finds what it may open, and its own orders', async ({ page, api, openAs }) => {
  const [mine, another] = [await api.user('transportista'), await api.user('transportista')];
  const orders = [await api.pedido({ cliente_nombre: 'Vecina Propia' }), await api.pedido({ cliente_nombre: 'Vecina Ajena' })];
  for (const [i, carrier] of [mine, another].entries()) {
    await api.admin.call(assignTransportista, { params: { id: orders[i]?.id ?? '' }, body: { transportista_id: carrier.id } });
  }
  const carrier = await openAs(mine);
  await openBox(carrier);
  await expect(option(carrier, 'Pedidos disponibles')).toBeVisible();
  for (const foreign of ['Control de Stock', 'Crear pedido', 'Gestión de Usuarios']) await expect(option(carrier, foreign)).toBeHidden();
  await field(carrier).fill('vecina');
  await expect(option(carrier, /Vecina Propia/)).toBeVisible();
  await expect(option(carrier, /Vecina Ajena/)).toBeHidden();
  await option(carrier, /Vecina Propia/).click();
  await expect(carrier).toHaveURL(/\/pedidos-asignados\?search=/);
  await expect(carrier.getByRole('main')).toContainText('Vecina Propia');

  const reseller = await openAs(await api.user('revendedor'));
  await openBox(reseller);
  await field(reseller).fill('vecina');
  await expect(box(reseller)).toContainText('Nada coincide');
  await page.close();
});

test('@desktop the keyboard alone: open, move, choose, close, and the focus goes back', async ({ page }) => {
  await asAdmin(page);
  await page.goto('/pedidos');
  const search = page.getByRole('searchbox');
  await search.focus();
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  const first = box(page).getByRole('option').first();
  await expect(first).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await expect(box(page).getByRole('option').nth(1)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(option(page, 'Cerrar sesión')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Escape');
  await expect(box(page)).toBeHidden();
  await expect(search).toBeFocused();
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Control+k');
  await expect(box(page)).toBeHidden();
});

test('@desktop keys alone do nothing while typing, and can be turned off', async ({ page }) => {
  const help = page.getByRole('dialog', { name: 'Atajos de teclado' });
  await asAdmin(page);
  await page.goto('/pedidos');
  await page.getByRole('searchbox').fill('');
  await page.getByRole('searchbox').pressSequentially('n?');
  await expect(page.getByRole('searchbox')).toHaveValue('n?');
  await expect(page).toHaveURL(/\/pedidos(\?|$)/);
  await expect(help).toBeHidden();

  await page.getByRole('main').focus();
  await page.keyboard.press('?');
  await expect(help).toBeVisible();
  for (const does of ['Buscar o ir a', 'Contraer o expandir la navegación', 'Nuevo pedido']) await expect(help).toContainText(does);
  await expectAccessible(page);
  await help.getByRole('switch', { name: 'Atajos de una sola tecla' }).uncheck();
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();
  await page.keyboard.press('n');
  await page.reload();
  await page.getByRole('main').focus();
  await page.keyboard.press('n');
  await page.keyboard.press('?');
  await expect(help).toBeHidden();
  await expect(page).toHaveURL(/\/pedidos(\?|$)/);

  await openBox(page);
  await field(page).fill('atajos');
  await field(page).press('Enter');
  await help.getByRole('switch', { name: 'Atajos de una sola tecla' }).check();
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();
  await page.keyboard.press('n');
  await expect(page).toHaveURL('/pedidos/nuevo-admin');
});

test('actions: theme and signing out', async ({ page }) => {
  await asAdmin(page);
  await openBox(page);
  await field(page).fill('tema');
  await option(page, 'Cambiar a tema oscuro').click();
  await expectTheme(page, 'dark');
  await openBox(page);
  await expectAccessible(page);
  await field(page).fill('cerrar ses');
  await field(page).press('Enter');
  await expect(page).toHaveURL(/\/auth/);
});
