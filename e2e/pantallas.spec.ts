import type { Locator, Page } from '@playwright/test';
import { autoAsignar } from '../contract/transportista.ts';
import { expect, expectAccessible, SUPERADMIN, signIn, test } from './fixtures.ts';

/* Every screen as each role meets it: it opens by its address, fits its width, and is accessible in both themes. */

const SUPERADMIN_SCREENS = {
  '/': 'Dashboard',
  '/entregas': 'Entregas',
  '/pedidos': 'Gestión de Pedidos',
  '/pedidos/nuevo-admin': 'Crear pedido',
  '/control-stock': 'Control de Stock',
  '/gestion-usuarios': 'Gestión de Usuarios',
  '/admin': 'Panel de administración',
  '/exportar-datos': 'Exportar Datos',
  '/configuracion': 'Configuración',
  '/mi-cuenta': 'Mi cuenta',
};
const REVENDEDOR_SCREENS = {
  '/revendedor-dashboard': /./,
  '/mis-pedidos': 'Mis Pedidos',
  '/pedidos/nuevo': 'Nuevo Pedido',
  '/mi-cuenta': 'Mi cuenta',
};
const TRANSPORTISTA_SCREENS = {
  '/transportista-dashboard': /./,
  '/pedidos-disponibles': 'Pedidos Disponibles',
  '/pedidos-asignados': 'Pedidos Asignados',
  '/mi-cuenta': 'Mi cuenta',
};

async function look(page: Page, screens: Record<string, string | RegExp>) {
  await page.goto('/');
  for (const theme of ['light', 'dark']) {
    await page.evaluate((value) => localStorage.setItem('appConfig', JSON.stringify({ theme: value })), theme);
    for (const [path, title] of Object.entries(screens)) {
      await page.goto(path);
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', theme);
      await expect(page.getByRole('heading', { level: 1 }), path).toHaveText(title);
      // Skeletons have no text to measure: what is looked at is the filled screen.
      await expect(page.locator('main .mantine-Skeleton-root:visible'), path).toHaveCount(0);
      const { wide, window } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, window: innerWidth }));
      expect(wide, `${path} fits its window`).toBeLessThanOrEqual(window);
      // The dark theme changes colours and nothing else.
      await expectAccessible(page, theme === 'dark' ? { rules: ['color-contrast'] } : {});
    }
  }
}

test.describe('every screen opens, fits and is accessible in both themes', () => {
  test.slow();

  test('for a superadmin', async ({ page, api }) => {
    const rita = await api.user('revendedor');
    await api.pedido({ cliente_telefono: '600 11 22 33', cliente_ciudad: 'Cáceres', cliente_codigo_postal: '10001' }, await api.as(rita));
    await api.pedido();
    await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
    await look(page, SUPERADMIN_SCREENS);
  });

  test('for a reseller', async ({ page, api }) => {
    const rita = await api.user('revendedor');
    await api.pedido({}, await api.as(rita));
    await signIn(page, rita.email, rita.password);
    await look(page, REVENDEDOR_SCREENS);
  });

  test('for a carrier', async ({ page, api }) => {
    const tomas = await api.user('transportista');
    await api.pedido();
    await signIn(page, tomas.email, tomas.password);
    await look(page, TRANSPORTISTA_SCREENS);
  });
});

const NOWHERE = { x: Number.NaN, y: Number.NaN, width: 0, height: 0 };
const boxOf = async (locator: Locator) => (await locator.boundingBox()) ?? NOWHERE;

test.describe('lists fit the window that they are in', { tag: '@desktop' }, () => {
  const cliente_nombre = 'Nombre'.repeat(15);
  test.beforeAll(async ({ api }) => {
    const pack_id = (await api.pack()).id;
    for (let i = 0; i < 21; i += 1) await api.pedido({ pack_id, cliente_nombre });
  });
  test.beforeEach(async ({ page }) => signIn(page, SUPERADMIN.email, SUPERADMIN.password));

  test('a tablet shows what an order is and how it stands, however long its words', async ({ page }) => {
    await page.setViewportSize({ width: 820, height: 1180 });
    for (const path of ['/pedidos', '/entregas', '/admin']) {
      await page.goto(path);
      const first = page.getByRole('row').nth(1);
      await expect(first).toContainText(cliente_nombre);
      // What is under the column of the actions, which stays in sight, is not seen.
      const { x: end } = await boxOf(first.getByRole('cell').last());
      for (const said of [cliente_nombre, 'Pendiente', /€$/]) {
        const { x, width } = await boxOf(first.getByText(said));
        expect(x + width, `${said} in ${path}`).toBeLessThanOrEqual(end);
      }
    }
  });

  test('nor does a tablet scroll the lists of a reseller and of a carrier sideways', async ({ api, openAs }) => {
    const [rita, tomas] = [await api.user('revendedor'), await api.user('transportista')];
    await api.pedido({ cliente_nombre }, await api.as(rita));
    await (await api.as(tomas)).call(autoAsignar, { params: { id: (await api.pedido({ cliente_nombre })).id } });
    const [reseller, carrier] = [await openAs(rita), await openAs(tomas)];
    for (const [page, path] of [
      [reseller, '/mis-pedidos'],
      [carrier, '/pedidos-asignados'],
      [carrier, '/pedidos-disponibles'],
    ] as const) {
      for (const width of [1280, 1024, 820]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(path);
        await expect(page.getByText(cliente_nombre).first()).toBeVisible();
        const sideways = await page
          .getByRole('main')
          .evaluate(
            (main) =>
              [...main.querySelectorAll('*')].filter(
                (e) => e.scrollWidth > e.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(e).overflowX),
              ).length,
          );
        expect(sideways, `${path} at ${width} px`).toBe(0);
      }
    }
  });

  test('the navigation gives way in a narrow window, unless the person wants it', async ({ page }) => {
    await page.setViewportSize({ width: 820, height: 1180 });
    await page.goto('/pedidos');
    await page.getByRole('button', { name: 'Expandir la navegación' }).click();
    await expect(page.getByRole('button', { name: 'Contraer la navegación' })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('button', { name: 'Contraer la navegación' })).toBeVisible();
  });

  test('only the rows scroll, and the bar of the chosen ones covers nothing', async ({ page }) => {
    const spare = () => page.evaluate(() => innerHeight - document.documentElement.scrollHeight);
    for (const [width, height] of [
      [1440, 900],
      [1024, 768],
      [820, 1180],
      [900, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto('/pedidos');
      const next = page.getByRole('button', { name: 'Siguiente' });
      await expect(next).toBeEnabled();
      await expect.poll(spare, `${width} x ${height}`).toBeGreaterThanOrEqual(0);
      for (const i of [0, 1]) await page.getByRole('checkbox', { name: 'Seleccionar ORD-' }).nth(i).check();
      await expect.poll(spare, `${width} x ${height}, with two chosen`).toBeGreaterThanOrEqual(0);
      const bar = await boxOf(page.getByRole('region', { name: 'Pedidos elegidos' }));
      const foot = await boxOf(next);
      expect(foot.y + foot.height).toBeLessThanOrEqual(bar.y);
    }
  });
});

test('nobody gets in without a session, nor into what is another role’s', async ({ page, api }) => {
  await page.goto('/pedidos');
  await expect(page).toHaveURL(/\/auth/);
  await expectAccessible(page);
  const tomas = await api.user('transportista');
  await signIn(page, tomas.email, tomas.password);
  for (const path of ['/', '/pedidos', '/mis-pedidos', '/configuracion', '/auth']) {
    await page.goto(path);
    await expect(page, path).toHaveURL('/transportista-dashboard');
  }
  await page.goto('/no-existe');
  await expect(page.getByText('Página no encontrada')).toBeVisible();
  await expectAccessible(page);
});

test('signing in asks for both fields, refuses what is wrong and keeps what was typed', async ({ page, allowErrors }) => {
  allowErrors(/401/);
  await page.goto('/auth');
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await expect(page.getByText('Todos los campos son obligatorios').first()).toBeVisible();
  await page.getByLabel('Email o usuario').fill(SUPERADMIN.email);
  await page.getByLabel('Contraseña', { exact: true }).fill('equivocada');
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Credenciales incorrectas. Verifica tu usuario y contraseña.' })).toBeVisible();
  await expect(page.getByLabel('Email o usuario')).toHaveValue(SUPERADMIN.email);
  await page.getByLabel('Contraseña', { exact: true }).fill(SUPERADMIN.password);
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await expect(page.getByText('¡Bienvenido!')).toBeVisible();
  await expect(page).toHaveURL('/');
});
