import type { Page } from '@playwright/test';
import { expect, expectFilled, SUPERADMIN, signIn, test } from './fixtures.ts';

/* Enruta as an installed app, and the files that browsers and search engines request of every site. */

const ICONS = ['/favicon.ico', '/icon-192.png', '/icon-512.png', '/icon-maskable.png', '/apple-touch-icon.png'];

test('the manifest, its icons and robots.txt are served as declared', async ({ page, request }) => {
  await page.goto('/auth');
  await expect(page.locator('link[rel=manifest]')).toHaveAttribute('href', '/manifest.webmanifest');
  expect(await page.locator('meta[name=theme-color]').count()).toBeGreaterThan(0);

  const manifest = await request.get('/manifest.webmanifest');
  expect(manifest.headers()['content-type']).toContain('application/manifest+json');
  const { name, lang, start_url, display, icons } = await manifest.json();
  expect({ name, lang, start_url, display }).toEqual({ name: 'Enruta', lang: 'es', start_url: '/', display: 'standalone' });
  const named = icons.map(({ src, sizes, purpose = 'any' }: Record<string, string>) => `${src} ${sizes} ${purpose}`);
  expect(named).toEqual(
    expect.arrayContaining(['/icon-192.png 192x192 any', '/icon-512.png 512x512 any', '/icon-maskable.png 512x512 maskable']),
  );

  for (const path of ICONS) {
    const reply = await request.get(path);
    expect(reply.status(), path).toBe(200);
    const bytes = await reply.body();
    if (path.endsWith('.png')) {
      expect(reply.headers()['content-type'], path).toBe('image/png');
      expect(bytes.subarray(1, 4).toString(), path).toBe('PNG');
      const size = path.match(/192/) ? 192 : path.match(/apple/) ? 180 : 512;
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], path).toEqual([size, size]);
    } else {
      expect(reply.headers()['content-type'], path).toMatch(/^image\/(x-icon|vnd\.microsoft\.icon)/);
      expect([...bytes.subarray(0, 4)], path).toEqual([0, 0, 1, 0]);
    }
  }
  const robots = await request.get('/robots.txt');
  expect(robots.headers()['content-type']).toContain('text/plain');
  expect(await robots.text()).toBe('User-agent: *\nDisallow: /\n');
});

test('the sign-in screen logs no error in the console, not even after signing out', async ({ page, api }) => {
  const red: string[] = [];
  page.on('console', (message) => message.type() === 'error' && red.push(message.text()));
  const rita = await api.user('revendedor');
  await page.goto('/');
  await page.getByLabel('Email o usuario').fill(rita.email);
  await page.getByLabel('Contraseña', { exact: true }).fill(rita.password);
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await expect(page).toHaveURL('/revendedor-dashboard');
  await page.getByRole('button', { name: 'Cerrar sesión' }).first().click();
  await expect(page).toHaveURL(/\/auth/);
  await page.reload();
  await expect(page.getByLabel('Email o usuario')).toBeVisible();
  expect(red).toEqual([]);
});

test('only a remembered device stays signed in when the browser opens again', async ({ page, api }) => {
  const rita = await api.user('revendedor');
  const lasting = async () => {
    const cookies = await page.context().cookies();
    return ['enruta', 'XSRF-TOKEN'].map((name) => (cookies.find((cookie) => cookie.name === name)?.expires ?? -1) > Date.now() / 1000);
  };
  for (const remember of [false, true]) {
    await page.goto('/auth');
    await page.getByLabel('Email o usuario').fill(rita.email);
    await page.getByLabel('Contraseña', { exact: true }).fill(rita.password);
    await page.getByRole('checkbox', { name: 'Recordar este dispositivo' }).setChecked(remember);
    await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
    await expect(page).toHaveURL('/revendedor-dashboard');
    await page.reload();
    expect(await lasting()).toEqual([remember, remember]);
    // Leaves the screen, which would keep polling.
    await page.goto('about:blank');
    await page.context().clearCookies();
  }
});

/** Controls smaller than 44 px: name and size. */
async function tooSmall(page: Page): Promise<string[]> {
  await expectFilled(page);
  const pressed = page.getByRole('button').or(page.getByRole('tab')).or(page.getByRole('textbox')).or(page.getByRole('combobox'));
  // Skips controls that have disappeared since the locator matched.
  const seen = await pressed.filter({ visible: true }).evaluateAll((elements) =>
    elements
      .filter((element) => element.checkVisibility())
      .map((element) => {
        // Measures a field by its frame, which is larger than the input inside.
        const { width, height } = (element.matches('input') ? (element.parentElement ?? element) : element).getBoundingClientRect();
        const name = element.getAttribute('aria-label') || element.textContent || element.getAttribute('placeholder') || element.id;
        return { name, width, height };
      }),
  );
  return seen.filter(({ width, height }) => width < 43.5 || height < 43.5).map(({ name, ...size }) => `${name} ${JSON.stringify(size)}`);
}

test('@desktop every control is at least 44 px wide and high on a phone', async ({ page, api }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/auth');
  expect.soft(await tooSmall(page), '/auth').toEqual([]);
  await api.pedido();
  await api.user('revendedor');
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  for (const path of ['/', '/pedidos', '/entregas', '/control-stock', '/gestion-usuarios', '/exportar-datos', '/pedidos/nuevo-admin']) {
    await page.goto(path);
    expect.soft(await tooSmall(page), path).toEqual([]);
  }
});
