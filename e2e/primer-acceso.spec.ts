import { expect, test } from './fixtures.ts';
import { startServer } from './server.ts';

// A server of its own ends, and a reused context would return to it.
test.use({ reuseContext: false });

/* The first minute of a new shop: from its address to the dashboard, with the code that the program has printed. */

test('an empty shop asks for its first superadmin, and later opens the sign-in screen @desktop', async ({ page }) => {
  const shop = await startServer({ DATABASE_URL: '', SUPERADMIN_EMAIL: '', SUPERADMIN_PASSWORD: '' });
  try {
    await expect.poll(shop.log).toMatch(/código/);
    const code = /este código, que vale una vez: (\S+)/.exec(shop.log())?.[1] ?? '';
    await page.goto(`${shop.url}/pedidos`);
    await expect(page).toHaveURL(`${shop.url}/primer-acceso`);
    await page.getByLabel('Código de primer acceso').fill(code);
    await page.getByLabel('Nombre completo').fill('Ana Dueña');
    await page.getByLabel('Email').fill('ana@tienda.es');
    await page.getByLabel('Contraseña', { exact: true }).fill('una clave de la tienda');
    await page.getByRole('button', { name: 'Crear cuenta y entrar' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Para empezar' })).toBeVisible();
    await page.context().clearCookies();
    await page.goto(shop.url);
    await expect(page).toHaveURL(`${shop.url}/auth`);
  } finally {
    // Leaves the page first: a favicon still loading would fail and be reported as an error.
    await page.goto('about:blank');
    await shop.stop();
  }
});
