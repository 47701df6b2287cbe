import type { Locator, Page } from '@playwright/test';
import { expect, SUPERADMIN, signIn, test } from './fixtures.ts';

/* What every form's fields have in common. */

test.beforeEach(async ({ page }) => signIn(page, SUPERADMIN.email, SUPERADMIN.password));

test('an emptied quantity stays empty', async ({ page, api }) => {
  await api.pack();
  await page.goto('/pedidos/nuevo-admin');
  const field = page.getByLabel(/^Cantidad/);
  await field.fill('');
  await page.keyboard.press('Tab');
  await expect(field).not.toBeFocused();
  await expect(field).toHaveValue('');
});

async function marked(dialog: Locator, ...labels: string[]) {
  for (const label of labels) {
    await expect(dialog.locator('label', { hasText: new RegExp(`^${label}`) }).first(), label).toContainText('*');
  }
}
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();

test('a dialog marks the fields that it needs, and says in Spanish how to see a password', async ({ page, api }) => {
  const dialog = page.getByRole('dialog');
  await api.pack();
  await page.goto('/control-stock');
  await button(page, 'Nuevo producto').click();
  await marked(dialog, 'Nombre');
  await page.keyboard.press('Escape');
  await button(page, 'Nuevo pack').click();
  await marked(dialog, 'Producto', 'Nombre del pack', 'Alias');
  await page.keyboard.press('Escape');
  await button(page, /^Movimientos de/).click();
  await marked(dialog, 'Unidades', 'Motivo');
  await page.goto('/gestion-usuarios');
  await button(page, /^Crear/).click();
  await marked(dialog, 'Nombre completo', 'Email', 'Contraseña');
  await expect(dialog.getByRole('button', { name: 'Mostrar la contraseña' })).toBeVisible();
  for (const tab of ['notifications', 'integrations']) {
    await page.goto(`/configuracion?tab=${tab}`);
    await expect(page.getByRole('tabpanel')).toBeVisible();
    await expect(page.getByRole('button', { name: /password/i })).toHaveCount(0);
  }
});
