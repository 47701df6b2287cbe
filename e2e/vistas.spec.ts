import type { Page } from '@playwright/test';
import { expect, row, SUPERADMIN, signIn, test } from './fixtures.ts';

/* Saved views reach all browsers of their users live. */

const button = (page: Page) => page.getByRole('button', { name: /^Vistas/ });
const dialog = (page: Page) => page.getByRole('dialog');
const choose = async (page: Page, role: 'menuitem' | 'menuitemradio' | 'menuitemcheckbox', name: string | RegExp) => {
  await button(page).click();
  await page.getByRole(role, { name }).click();
};

test('a shared view appears at once in all browsers that may use it, and disappears when deleted', async ({ page, api, openAs }) => {
  const pack_id = (await api.pack()).id;
  await api.pedido({ pack_id, cliente_nombre: 'Olga Oviedo', cliente_ciudad: 'Oviedo' });
  await api.pedido({ pack_id, cliente_nombre: 'Lola León', cliente_ciudad: 'León' });
  const [other, colleague] = [await openAs(SUPERADMIN), await openAs(await api.user('superadmin'))];
  for (const browser of [other, colleague]) {
    await browser.goto('/pedidos');
    await expect(row(browser, 'Lola León')).toBeVisible();
  }

  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/pedidos?ciudad=Oviedo');
  await choose(page, 'menuitem', 'Guardar vista…');
  await dialog(page).getByLabel('Nombre').fill('Asturias');
  await dialog(page).getByLabel('Compartir con todos los administradores').check();
  await dialog(page).getByRole('button', { name: 'Guardar vista' }).click();
  await expect(button(page)).toHaveAccessibleName('Vistas: Asturias');

  for (const browser of [other, colleague]) {
    await choose(browser, 'menuitemradio', /^Asturias/);
    await expect(row(browser, 'Lola León')).toBeHidden();
    await expect(row(browser, 'Olga Oviedo')).toBeVisible();
  }
  await choose(other, 'menuitemcheckbox', 'Usar al abrir');
  await expect(other.getByText('La lista se abrirá con esta vista')).toBeVisible();
  await other.goto('/pedidos');
  await expect(other).toHaveURL(/ciudad=Oviedo.*vista=/);
  await expect(row(other, 'Olga Oviedo')).toBeVisible();
  await expect(row(other, 'Lola León')).toBeHidden();

  await choose(page, 'menuitem', 'Eliminar');
  await dialog(page).getByRole('button', { name: 'Eliminar' }).click();
  for (const browser of [other, colleague]) await expect(button(browser)).toHaveText('Vistas');
  await other.goto('/pedidos');
  await expect(row(other, 'Lola León')).toBeVisible();
  await expect(other).toHaveURL('/pedidos');
});
