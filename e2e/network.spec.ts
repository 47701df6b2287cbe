import type { Page } from '@playwright/test';
import { getUser } from '../contract/session/session.ts';
import { expect, SUPERADMIN, signIn, test } from './fixtures.ts';

/* Real page loads whose chunk or session request fails. Writes and lists are tested in web/network.browser.test.tsx. */

const failed = (page: Page) => page.getByRole('alert').filter({ hasText: 'Esta pantalla no se ha podido cargar' });

// The worker would serve the screens that these tests take away.
test.use({ serviceWorkers: 'block' });

test.beforeEach(({ allowErrors }) => allowErrors(/net::ERR_(FAILED|INTERNET_DISCONNECTED)/));

test('a screen that fails to load says so, and loads once the network is back', async ({ page, allowErrors }) => {
  allowErrors(/Sin conexión a Internet/);
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/pedidos');
  await expect(page.getByRole('heading', { level: 1, name: 'Gestión de Pedidos' })).toBeVisible();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Configuración' }).click();
  await expect(failed(page)).toContainText('Sin conexión');
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(failed(page)).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Configuración' })).toBeVisible();
});

test('a failed request to /api/user does not sign the person out', async ({ page, allowErrors }) => {
  allowErrors(/Error al conectar con el servidor/);
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.route(`**${getUser.path}`, (route) => route.abort('failed'));
  // A page without its first answers, as after a wait of the server.
  await page.route('/pedidos', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(/<script type="application\/json".*?<\/script>/s, '') });
  });
  await page.goto('/pedidos');
  await expect(failed(page)).toBeVisible();
  await expect(page).toHaveURL('/pedidos');
  await page.unroute(`**${getUser.path}`);
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Gestión de Pedidos' })).toBeVisible();
});
