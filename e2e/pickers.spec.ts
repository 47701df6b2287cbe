import type { Locator, Page } from '@playwright/test';
import { expect, SUPERADMIN, signIn, test } from './fixtures.ts';

/* A choice that is searched: what is typed takes the place of what stands there, and Escape brings that back. */

test.beforeAll(async ({ api }) => {
  await api.user('transportista', { full_name: 'Nuria Núñez' });
  await api.user('transportista', { full_name: 'Óscar Otero' });
  await api.user('revendedor', { full_name: 'Nuria Nadal' });
  await api.pack({ name: 'Caja de nueces', product_id: (await api.product({ name: 'Nuez' })).id });
  await api.pedido({ pack_id: (await api.pack({ product_id: (await api.product({ name: 'Miel' })).id })).id });
});

const picker = (within: Page | Locator, name: string | RegExp) => within.getByRole('combobox', { name, exact: true });
const option = (page: Page, name: string) => page.getByRole('option', { name, exact: true });

/** Types into a picker that already has the focus and shows `given`. */
async function replace(page: Page, field: Locator, given: string, typed: string, wanted: string) {
  await expect(field).toBeFocused();
  await expect(field).toHaveValue(given);
  await page.keyboard.type(typed);
  await expect(field).toHaveValue(typed);
  await expect(page.getByRole('option')).toHaveText([new RegExp(wanted)]);
  await page.keyboard.press('Escape');
  await expect(field).toHaveValue(given);
  await expect(page.getByRole('option')).toHaveCount(0);
  await page.keyboard.type(typed);
  await expect(field).toHaveValue(typed);
  await expect(page.getByRole('option')).toHaveText([new RegExp(wanted)]);
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue(wanted);
}

test('of a filter, by mouse and by keyboard', async ({ page }) => {
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/pedidos');
  const field = picker(page, 'Transportista');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await field.click();
  await expect(option(page, 'Óscar Otero')).toBeVisible();
  await replace(page, field, 'Transportista: todos', 'nun', 'Nuria Núñez');
  await expect(page).toHaveURL(/transportista_id=/);
  await picker(page, 'Revendedor').focus();
  await page.keyboard.press('Tab');
  await replace(page, field, 'Nuria Núñez', 'osc', 'Óscar Otero');
});

test('lets the focus go on, however late a busy browser selects what was chosen', async ({ page }) => {
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/pedidos/nuevo-admin');
  await expect(picker(page, 'Pack')).toBeEnabled();
  await picker(page, 'Pack').focus();
  await page.keyboard.type('nuez');
  await page.evaluate(() => {
    const [soon, held] = [setTimeout, [] as (() => void)[]];
    window.setTimeout = ((work: () => void, ms = 0) => (ms ? soon(work, ms) : held.push(work))) as typeof setTimeout;
    Object.assign(window, { catchUp: () => void held.map((work) => work()) });
  });
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.evaluate(() => (window as never as { catchUp: () => void }).catchUp());
  await expect(page.getByRole('textbox', { name: 'Cantidad' })).toBeFocused();
});

test('of the dialogs that assign, which open with it focused', async ({ page }) => {
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/pedidos');
  await page
    .getByRole('button', { name: /^Acciones/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Asignar transportista' }).click();
  const dialog = page.getByRole('dialog', { name: 'Asignar transportista' });
  await replace(page, picker(dialog, 'Transportista'), 'Sin asignar', 'osc', 'Óscar Otero');
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await page.getByRole('checkbox', { name: 'Seleccionar ORD-' }).first().check();
  await page.getByRole('region', { name: 'Pedidos elegidos' }).getByRole('button', { name: 'Asignar' }).click();
  await replace(page, picker(dialog, 'Transportista'), '', 'nun', 'Nuria Núñez');
});

test('of a product, a pack and a reseller', async ({ page }) => {
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/control-stock');
  await page.getByRole('button', { name: 'Nuevo pack' }).click();
  const product = picker(page.getByRole('dialog', { name: 'Nuevo pack' }), /^Producto/);
  await replace(page, product, '', 'nu', 'Nuez');
  await expect(product).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(product).not.toBeFocused();
  await page.keyboard.press('Tab');
  await replace(page, product, 'Nuez', 'm', 'Miel');

  await page.goto('/pedidos/nuevo-admin');
  const pack = picker(page, /^Pack/);
  await pack.click();
  await replace(page, pack, '', 'nuec', 'Nuez – Caja de nueces');
  await picker(page, /^Revendedor/).click();
  await replace(page, picker(page, /^Revendedor/), '', 'nad', 'Nuria Nadal');
  await picker(page, /^Revendedor/).click();
  await replace(page, picker(page, /^Revendedor/), 'Nuria Nadal', 'nur', 'Nuria Nadal');
});
