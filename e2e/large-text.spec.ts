import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { CHROMIUM_ARGS, findChromium } from './chromium.ts';
import { expect, expectFilled, expectFits, row, SUPERADMIN, signIn, test } from './fixtures.ts';

/*
 * Text at 200 % on a desktop, as people with low vision set it in their browser (WCAG 1.4.4). Breakpoints scale with the text: a window
 * of 1440 px lays out like one of 720 px, and 1920 px like 960 px.
 */

test.use({ launchOptions: { executablePath: findChromium(), args: [...CHROMIUM_ARGS, '--blink-settings=defaultFontSize=32'] } });

/** Truncated texts of buttons and headings. */
const cut = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button *, button, a[class*=Button] *, h1, h2, h3, th')]
      .filter(
        (element) => element.childElementCount === 0 && element.textContent?.trim() && element.clientWidth > 1 && element.checkVisibility(),
      )
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .map((element) => element.textContent),
  );

async function expectWhole(page: Page, address: string) {
  await page.goto(address);
  for (const width of [1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await expectFilled(page, address);
    await expectFits(page, `${address} fits a window of ${width} px`);
    await expect.poll(() => cut(page), `words cut at ${address} in a window of ${width} px`).toEqual([]);
  }
}

const SCREENS = {
  superadmin: [
    '/',
    '/pedidos',
    '/pedidos/nuevo-admin',
    '/entregas',
    '/caja',
    '/clientes',
    '/control-stock',
    '/gestion-usuarios',
    '/liquidaciones',
    '/por-cobrar',
    '/admin?tab=logs',
    '/configuracion?tab=general',
    '/configuracion?tab=integrations',
  ],
  revendedor: ['/revendedor-dashboard', '/mis-pedidos', '/pedidos/nuevo', '/clientes'],
};

test('the main screens fit their window with text at 200 %, and no word of a button is cut @desktop', async ({ page, api, openAs }) => {
  const rita = await api.user('revendedor');
  const known = { cliente_nombre: 'Francisco Javier Ibáñez', cliente_telefono: '600 11 22 33', cliente_ciudad: 'Cáceres' };
  await api.pedido(known, await api.as(rita));
  const { id } = await api.pedido(known);
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  for (const address of [...SCREENS.superadmin, `/pedidos/${id}`]) await expectWhole(page, address);
  const reseller = await openAs(rita);
  for (const address of SCREENS.revendedor) await expectWhole(reseller, address);
});

test('an order is found and opened by keyboard alone with text at 200 % @desktop', async ({ page, api }) => {
  const { numero_orden } = await api.pedido({ cliente_nombre: 'Inés Grande' });
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/pedidos');
  await expect(row(page, 'Inés Grande')).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type(numero_orden);
  await expect(page.getByRole('option', { name: new RegExp(numero_orden) })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /Inés Grande/ })).toBeVisible();
  await expectFilled(page);
  await expectAccessible(page);
  await expectFits(page, 'the open order fits');
});
