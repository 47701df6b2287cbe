import type { Page } from '@playwright/test';
import type { Lista } from '../contract/vistas.fields.ts';
import { type Consulta, createVista, listVistas, preferVista } from '../contract/vistas.ts';
import { type Arranger, expect, expectAccessible, expectFits, row, rows, SUPERADMIN, signIn, test } from './fixtures.ts';

/* Views of a list: saved under a name, chosen again, opened with, shared. */

const button = (page: Page) => page.getByRole('button', { name: /^Vistas/ });
const choose = async (page: Page, role: 'menuitem' | 'menuitemradio' | 'menuitemcheckbox', name: string | RegExp) => {
  await button(page).click();
  await page.getByRole(role, { name }).click();
};
const dialog = (page: Page) => page.getByRole('dialog');
const heads = (page: Page) => page.getByRole('columnheader');

async function saveAs(page: Page, nombre: string, { shared = false } = {}) {
  await choose(page, 'menuitem', 'Guardar vista…');
  await dialog(page).getByLabel('Nombre').fill(nombre);
  if (shared) await dialog(page).getByLabel('Compartir con todos los administradores').check();
  await dialog(page).getByRole('button', { name: 'Guardar vista' }).click();
  await expect(dialog(page)).toBeHidden();
}
async function given(by: Arranger['admin'], nombre: string, consulta: Consulta, more: { lista?: Lista; compartida?: boolean } = {}) {
  const { body } = await by.call(createVista, { body: { lista: 'pedidos', nombre, consulta, ...more } });
  return body.data;
}
const opensWith = (by: Arranger['admin'], vista_id: string | null, lista: Lista = 'pedidos') =>
  by.call(preferVista, { body: { lista, vista_id } });

test.beforeAll(async ({ api }) => {
  const pack_id = (await api.pack()).id;
  for (const [cliente_nombre, cliente_ciudad] of [
    ['Olga Oviedo', 'Oviedo'],
    ['Lola León', 'León'],
  ] as const)
    await api.pedido({ pack_id, cliente_nombre, cliente_ciudad });
});
test.beforeEach(async ({ page, api }) => {
  await opensWith(api.admin, null);
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
});

test('what a list shows is saved, left, and chosen again with its filter, order and columns', async ({ page }) => {
  await page.goto('/pedidos?ciudad=Oviedo');
  await expect(row(page, 'Olga Oviedo')).toBeVisible();
  await heads(page).filter({ hasText: 'Cliente' }).click();
  await expect(page).toHaveURL(/sort=cliente_nombre/);
  await page.getByRole('button', { name: 'Columnas' }).click();
  await page.getByRole('checkbox', { name: 'Hora' }).check();
  await page.getByRole('checkbox', { name: 'Revendedor' }).uncheck();
  await page.keyboard.press('Escape');

  await choose(page, 'menuitem', 'Guardar vista…');
  await expect(dialog(page).getByLabel('Nombre')).toBeFocused();
  await dialog(page).getByRole('button', { name: 'Guardar vista' }).click();
  await expect(dialog(page).getByText('Ponle un nombre')).toBeVisible();
  await expectAccessible(page);
  await dialog(page).getByLabel('Nombre').fill('Asturias');
  await page.keyboard.press('Enter');
  await expect(button(page)).toHaveAccessibleName('Vistas: Asturias');
  await expect(button(page)).toBeFocused();
  const columns = ['', 'ID Pedido', 'Cliente', 'Transportista', 'Estado', 'Total', 'Fecha', 'Hora', 'Acciones'];
  await expect(heads(page)).toHaveText(columns);

  // In the list without a view the columns are the person's own again.
  await choose(page, 'menuitemradio', 'Todos los pedidos');
  await expect(row(page, 'Lola León')).toBeVisible();
  await expect(button(page)).toHaveText('Vistas');
  await page.getByRole('button', { name: 'Columnas' }).click();
  await page.getByRole('button', { name: 'Restablecer columnas y anchos' }).click();
  await page.keyboard.press('Escape');
  await expect(heads(page).filter({ hasText: 'Revendedor' })).toBeVisible();

  await choose(page, 'menuitemradio', 'Asturias');
  await expect(row(page, 'Lola León')).toBeHidden();
  await expect(heads(page)).toHaveText(columns);
  await expect(page).toHaveURL(/ciudad=Oviedo/);
  await page.reload();
  await expect(button(page)).toHaveAccessibleName('Vistas: Asturias');
  await expect(heads(page)).toHaveText(columns);
  await page.goBack();
  await expect(row(page, 'Lola León')).toBeVisible();
  await expect(button(page)).toHaveText('Vistas');
});

test('says when the list differs from it, and takes the difference in', async ({ page, api }) => {
  const { id } = await given(api.admin, 'Por cobrar', { pagado: 'no' });
  await page.goto(`/pedidos?pagado=no&vista=${id}`);
  await expect(button(page)).toHaveAccessibleName('Vistas: Por cobrar');
  await page.getByRole('button', { name: 'Estado: Todos' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Cancelado' }).click();
  await page.keyboard.press('Escape');
  await expect(button(page)).toHaveText('Por cobrar(modificada)');
  await button(page).click();
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: 'Actualizar «Por cobrar»' }).click();
  await expect(button(page)).toHaveAccessibleName('Vistas: Por cobrar');
  const kept = (await api.admin.call(listVistas, { query: { lista: 'pedidos' } })).body.data.find((vista) => vista.id === id);
  expect(kept?.consulta).toEqual({ pagado: 'no', estado: 'cancelado' });

  await choose(page, 'menuitem', 'Renombrar o compartir…');
  await dialog(page).getByLabel('Nombre').fill('Cancelados');
  await dialog(page).getByRole('button', { name: 'Guardar' }).click();
  await expect(button(page)).toHaveAccessibleName('Vistas: Cancelados');

  await choose(page, 'menuitem', 'Eliminar');
  await dialog(page).getByRole('button', { name: 'Eliminar' }).click();
  await expect(page.getByText('Vista eliminada')).toBeVisible();
  await expect(button(page)).toHaveText('Vistas');
  await expect(button(page)).toBeFocused();
  // Its filters stay until somebody takes them away.
  await expect(page.getByText('Ningún pedido coincide con los filtros')).toBeVisible();
});

test('a list opens with the chosen one, and taking the filters away does not bring it back', async ({ page, api }) => {
  const { id } = await given(api.admin, 'León', { ciudad: 'León' });
  await page.goto(`/pedidos?ciudad=Le%C3%B3n&vista=${id}`);
  await choose(page, 'menuitemcheckbox', 'Usar al abrir');
  await expect(page.getByText('La lista se abrirá con esta vista')).toBeVisible();

  await page.goto('/');
  await page.getByRole('link', { name: 'Pedidos', exact: true }).click();
  await expect(page).toHaveURL(/\/pedidos\?.*vista=/);
  await expect(row(page, 'Lola León')).toBeVisible();
  await expect(rows(page.getByRole('table'))).toHaveCount(1);
  await page.getByRole('button', { name: 'Quitar filtros' }).first().click();
  await expect(row(page, 'Olga Oviedo')).toBeVisible();
  await expect(button(page)).toHaveAccessibleName('Vistas: León (modificada)');
  await page.goBack();
  await expect(row(page, 'Olga Oviedo')).toBeHidden();
  await page.goBack();
  await expect(page).toHaveURL('/');

  // Whoever comes with a filter finds that filter, and all there is without it.
  await page.goto('/pedidos?ciudad=Oviedo');
  await expect(row(page, 'Olga Oviedo')).toBeVisible();
  await expect(button(page)).toHaveText('Vistas');
  await page.getByRole('button', { name: 'Quitar filtro: Ciudad: Oviedo' }).click();
  await expect(row(page, 'Lola León')).toBeVisible();
  await expect(row(page, 'Olga Oviedo')).toBeVisible();
  await page.reload();
  await expect(row(page, 'Olga Oviedo')).toBeVisible();

  await page.goto('/pedidos');
  await expect(row(page, 'Lola León')).toBeVisible();
  await choose(page, 'menuitemradio', 'Todos los pedidos');
  await expect(row(page, 'Olga Oviedo')).toBeVisible();
  await page.goto('/');
  await page.getByRole('link', { name: 'Ver todos' }).first().click();
  await expect(row(page, 'Olga Oviedo')).toBeVisible();
  await expect(row(page, 'Lola León')).toBeVisible();
});

test('until it is known with what the list opens, it shows no rows', async ({ page, api }) => {
  const { id } = await given(api.admin, 'Solo León', { ciudad: 'León' });
  await opensWith(api.admin, id);
  let release = () => {};
  const asked = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/vistas?*', async (route) => {
    await asked;
    await route.continue();
  });
  const all = page.waitForResponse(/\/api\/pedidos\?/);
  await page.goto('/pedidos');
  await (await all).finished();
  await expect(heads(page).filter({ hasText: 'Cliente' })).toBeVisible();
  await expect(row(page, 'Olga Oviedo')).toBeHidden();
  release();
  await expect(row(page, 'Lola León')).toBeVisible();
  await expect(row(page, 'Olga Oviedo')).toBeHidden();
});

test('one that is shared is on another superadmin’s screen at once, and goes for both when it is deleted', async ({
  page,
  api,
  openAs,
}) => {
  const berta = await api.user('superadmin', { full_name: 'Berta Compañera' });
  const other = await openAs(berta);
  await other.goto('/pedidos');
  await expect(row(other, 'Lola León')).toBeVisible();
  await page.goto('/pedidos?ciudad=Oviedo');
  await saveAs(page, 'Solo mía');
  await saveAs(page, 'De todos', { shared: true });

  await button(other).click();
  await expect(other.getByRole('menuitemradio', { name: /^De todos/ })).toContainText('De ');
  await expect(other.getByRole('menuitemradio', { name: 'Solo mía' })).toHaveCount(0);
  await other.getByRole('menuitemradio', { name: /^De todos/ }).click();
  await expect(row(other, 'Lola León')).toBeHidden();
  await choose(other, 'menuitemcheckbox', 'Usar al abrir');
  await choose(other, 'menuitem', 'Renombrar o compartir…');
  await expect(dialog(other).getByLabel('Compartir con todos los administradores')).toBeDisabled();
  await dialog(other).getByLabel('Nombre').fill('Asturianos');
  await dialog(other).getByRole('button', { name: 'Guardar' }).click();
  await expect(button(page)).toHaveAccessibleName('Vistas: Asturianos');

  await choose(page, 'menuitem', 'Eliminar');
  await expect(dialog(page)).toContainText('desaparece para todos los administradores');
  await dialog(page).getByRole('button', { name: 'Eliminar' }).click();
  await expect(button(other)).toHaveText('Vistas');
  await other.goto('/pedidos');
  await expect(row(other, 'Lola León')).toBeVisible();
  await expect(other).toHaveURL('/pedidos');
});

test('a period moves with the calendar, unless its days are wanted', async ({ page, api }) => {
  const year = new Date().getFullYear();
  await page.goto(`/pedidos?fecha_desde=${year}-01-01&fecha_hasta=${year}-12-31`);
  await choose(page, 'menuitem', 'Guardar vista…');
  await expect(dialog(page).getByLabel(/^Siempre «Año actual»/)).toBeChecked();
  await dialog(page).getByLabel('Nombre').fill('Este año');
  await dialog(page).getByRole('button', { name: 'Guardar vista' }).click();
  await expect(button(page)).toHaveAccessibleName('Vistas: Este año');
  const { data } = (await api.admin.call(listVistas, { query: { lista: 'pedidos' } })).body;
  expect(data.find(({ nombre }) => nombre === 'Este año')?.consulta).toEqual({ periodo: 'anio-actual' });
  await choose(page, 'menuitemradio', 'Todos los pedidos');
  await choose(page, 'menuitemradio', 'Este año');
  await expect(page).toHaveURL(new RegExp(`fecha_desde=${year}-01-01&fecha_hasta=${year}-12-31`));
});

test('«Entregas» has its own, and so has a reseller, who shares none', async ({ page, api, openAs }) => {
  await page.goto('/entregas?ciudad=Oviedo');
  await saveAs(page, 'Reparto norte');
  await page.goto('/pedidos');
  await button(page).click();
  await expect(page.getByRole('menuitemradio', { name: 'Todos los pedidos' })).toBeVisible();
  await expect(page.getByRole('menuitemradio', { name: 'Reparto norte' })).toHaveCount(0);

  const rita = await api.user('revendedor');
  await api.pedido({ cliente_nombre: 'Pepa Pendiente' }, await api.as(rita));
  const reseller = await openAs(rita);
  await reseller.setViewportSize({ width: 390, height: 844 });
  await reseller.goto('/mis-pedidos?estado=cancelado');
  await choose(reseller, 'menuitem', 'Guardar vista…');
  await expect(dialog(reseller).getByLabel(/Compartir/)).toHaveCount(0);
  await expectAccessible(reseller);
  await dialog(reseller).getByLabel('Nombre').fill('Cancelados con un nombre tan largo como se permite, o casi');
  await dialog(reseller).getByRole('button', { name: 'Guardar vista' }).click();
  await choose(reseller, 'menuitemcheckbox', 'Usar al abrir');
  await reseller.goto('/revendedor-dashboard');
  await reseller.getByRole('link', { name: 'Ver Mis Pedidos' }).click();
  await expect(reseller).toHaveURL(/estado=cancelado/);
  await expectFits(reseller, 'a long name on a phone');
  // A figure opens what it counts, whatever the list opens with.
  await reseller.getByRole('link', { name: /^Total/ }).click();
  await expect(row(reseller, 'Pepa Pendiente')).toBeVisible();
});

test('without an answer about the views the list is there all the same', async ({ page, allowErrors }) => {
  allowErrors(/\/api\/vistas/);
  await page.route('**/api/vistas?*', (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.goto('/pedidos');
  await expect(row(page, 'Lola León')).toBeVisible();
});
