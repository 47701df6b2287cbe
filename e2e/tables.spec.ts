import type { Locator, Page } from '@playwright/test';
import { createExport, RECENT_EXPORTS } from '../contract/exports.ts';
import { assignTransportista, setEstado } from '../contract/pedidos.ts';
import { autoAsignar } from '../contract/transportista.ts';
import { expect, expectAccessible, type Person, SUPERADMIN, signIn, test } from './fixtures.ts';

/* Every row of every list is reached with the wheel and with the keys; nothing here scrolls by program. */

const ROWS = 21;
let reseller: Person;
let carrier: Person;

test.beforeAll(async ({ api }) => {
  reseller = await api.user('revendedor');
  carrier = await api.user('transportista');
  const [asReseller, asCarrier] = [await api.as(reseller), await api.as(carrier)];
  const pack_id = (await api.pack()).id;
  for (let i = 1; i < ROWS; i += 1) await api.pack();
  for (let i = 1; i < ROWS; i += 1) await api.user('revendedor');
  for (let i = 0; i < ROWS; i += 1) {
    await api.pedido({ pack_id }, asReseller);
    await api.pedido({ pack_id });
    await asCarrier.call(autoAsignar, { params: { id: (await api.pedido({ pack_id })).id } });
  }
  // A row of «Resumen Transportistas» is a carrier who has completed something.
  for (let i = 0; i < ROWS; i += 1) {
    const { id } = await api.pedido({ pack_id });
    const transportista_id = (await api.user('transportista')).id;
    await api.admin.call(assignTransportista, { params: { id }, body: { transportista_id } });
    const body = { estado: 'completado', metodo_entrega: 'manual' } as const;
    const { status, text } = await api.admin.call(setEstado, { params: { id }, body });
    expect(status, text).toBe(200);
  }
  for (let i = 0; i < RECENT_EXPORTS; i += 1) {
    // One at a time for each person.
    const ask = async () => (await api.admin.call(createExport, { body: { formato: 'csv', conjuntos: ['transportistas'] } })).status;
    await expect.poll(ask, { timeout: 60_000 }).toBeLessThan(300);
  }
});

/** True when a person sees the foot of the element: inside the window, under nothing. */
const inSight = (element: Locator) =>
  element.evaluate((e) => {
    const { left, bottom, top, width } = e.getBoundingClientRect();
    const at = (y: number) => document.elementFromPoint(left + width / 2, y);
    return [bottom - 4, (top + bottom) / 2].every((y) => y > 0 && y < innerHeight && e.contains(at(y)));
  });

/** Where a pointer over the list is, for the wheel: the middle of what the window shows of it. */
async function pointAt(page: Page, list: Locator) {
  const point = await list.evaluate((e) => {
    const { left, right, top, bottom } = (e.closest('[data-scrollarea-viewport]') ?? e).getBoundingClientRect();
    return { x: (left + right) / 2, y: (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2, shown: top < innerHeight - 120 };
  });
  // A list that begins under the window is reached with the wheel too, over whatever is there.
  await page.mouse.move(point.x, point.shown ? point.y : 300);
}

async function wheelTo(page: Page, list: Locator, row: Locator, by: number) {
  await expect(async () => {
    await pointAt(page, list);
    await page.mouse.wheel(0, by);
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    expect(await inSight(row)).toBe(true);
  }).toPass({ intervals: [20], timeout: 30_000 });
}

/** A list that is itself only partly in the window takes a second press: the page goes on where the list ends. */
async function press(page: Page, key: 'End' | 'Home', row: Locator) {
  await expect(async () => {
    await page.keyboard.press(key);
    await expect.poll(() => inSight(row), { message: key, timeout: 2_000 }).toBe(true);
  }).toPass({ timeout: 8_000 });
}

/** Tab until the focus is in the list, or on what it scrolls in. */
async function tabInto(page: Page, list: Locator) {
  for (let i = 0; i < 200; i += 1) {
    await page.keyboard.press('Tab');
    const there = await list.evaluate((e) => {
      const { activeElement: at } = document;
      return e.contains(at) || (at !== document.body && !at?.matches('main') && !!at?.contains(e));
    });
    if (there) return;
  }
  throw new Error('The keyboard does not reach the list');
}

async function walk(page: Page, list: Locator, size: string) {
  const rows = list.locator('tbody tr, li');
  await expect(rows.nth(4), size).toBeVisible();
  const head = list.locator('thead');
  const [first, last] = [rows.first(), rows.last()];

  await wheelTo(page, list, last, 400);
  if (await head.count()) expect(await inSight(head), `${size}: the head after the wheel`).toBe(true);
  await wheelTo(page, list, first, -400);

  await tabInto(page, list);
  await press(page, 'End', last);
  if (await head.count()) expect(await inSight(head), `${size}: the head after End`).toBe(true);
  await press(page, 'Home', first);
}

type List = { path: string; name: string; list: (page: Page) => Locator };
const table = (path: string, name: string): List => ({ path, name, list: (page) => page.getByRole('table', { name, exact: true }) });

const EXPORTS = 'Exportaciones recientes';
const LISTS: Record<'superadmin' | 'reseller' | 'carrier', List[]> = {
  superadmin: [
    table('/pedidos', 'Pedidos'),
    table('/entregas', 'Entregas'),
    table('/admin', 'Pedidos'),
    table('/admin?tab=transportistas', 'Resumen Transportistas'),
    table('/admin?tab=logs', 'Logs'),
    table('/control-stock', 'Productos'),
    table('/control-stock', 'Packs'),
    table('/gestion-usuarios', 'Revendedores'),
    { path: '/exportar-datos', name: EXPORTS, list: (page) => page.getByRole('region', { name: EXPORTS }).getByRole('list') },
  ],
  reseller: [table('/mis-pedidos', 'Mis pedidos')],
  carrier: [table('/pedidos-disponibles', 'Pedidos disponibles'), table('/pedidos-asignados', 'Pedidos asignados')],
};

/** The smallest window shows the fewest rows; the longest list is walked in larger ones too. */
const WINDOWS = [
  [1280, 720],
  [1440, 900],
  [1920, 1080],
] as const;

for (const role of ['superadmin', 'reseller', 'carrier'] as const) {
  for (const { path, name, list } of LISTS[role]) {
    test(`the wheel and the keys reach the last row of «${name}» in ${path}`, async ({ page }) => {
      const person = { superadmin: SUPERADMIN, reseller, carrier }[role];
      await signIn(page, person.email, person.password);
      for (const [width, height] of path === '/pedidos' ? WINDOWS : WINDOWS.slice(0, 1)) {
        // Under this width a carrier has cards, which the page itself scrolls.
        await page.setViewportSize({ width: role === 'carrier' ? Math.max(width, 1400) : width, height });
        await page.goto(path);
        await walk(page, list(page), `${width}×${height}`);
        await expectAccessible(page, { rules: ['scrollable-region-focusable'] });
      }
    });
  }
}

test('the rows alone scroll, above the bar of the chosen ones', async ({ page }) => {
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  const spare = () => page.evaluate(() => innerHeight - document.documentElement.scrollHeight);
  const list = page.getByRole('table', { name: 'Pedidos' });
  const foot = page.getByRole('button', { name: 'Siguiente' });
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [820, 1180],
    [900, 800],
  ] as const) {
    const size = `${width}×${height}`;
    await page.setViewportSize({ width, height });
    await page.goto('/pedidos');
    await expect(foot).toBeEnabled();
    await expect.poll(spare, size).toBeGreaterThanOrEqual(0);
    for (const i of [0, 1]) await page.getByRole('checkbox', { name: 'Seleccionar ORD-' }).nth(i).check();
    await expect.poll(spare, `${size}, with two chosen`).toBeGreaterThanOrEqual(0);
    await wheelTo(page, list, list.getByRole('row').last(), 200);
    for (const seen of [list.locator('thead'), foot, page.getByRole('region', { name: 'Pedidos elegidos' })]) {
      expect(await inSight(seen), size).toBe(true);
    }
  }
});

test('a short list is as high as its rows', async ({ page }) => {
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/gestion-usuarios?rol=superadmin');
  const list = page.getByRole('table', { name: 'Superadmins' });
  await expect(list.getByRole('row')).toHaveCount(2);
  const spare = await list.evaluate((e) => (e.closest('[aria-busy]')?.clientHeight ?? 0) - e.clientHeight);
  expect(spare).toBeLessThan(4);
});

test('a first click sorts text from A to Z, and the latest dates first', async ({ page }) => {
  await signIn(page, reseller.email, reseller.password);
  await page.goto('/mis-pedidos');
  const head = (name: string) => page.getByRole('columnheader', { name });
  await expect(head('Fecha')).toHaveAttribute('aria-sort', 'descending');
  await head('Cliente').click();
  await expect(head('Cliente')).toHaveAttribute('aria-sort', 'ascending');
  await head('Cliente').click();
  await expect(head('Cliente')).toHaveAttribute('aria-sort', 'descending');
  await head('Estado').click();
  await expect(head('Estado')).toHaveAttribute('aria-sort', 'ascending');
  await head('Fecha').click();
  await expect(head('Fecha')).toHaveAttribute('aria-sort', 'descending');
});

test('what stands there while a list loads is where the list will be', async ({ page }) => {
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  let release = () => {};
  const asked = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/pedidos?*', async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto('/pedidos');
  const head = page.getByRole('columnheader', { name: 'ID Pedido' });
  const before = await head.boundingBox();
  release();
  await expect(page.getByRole('checkbox', { name: 'Seleccionar ORD-' }).first()).toBeVisible();
  expect((await head.boundingBox())?.x).toBe(before?.x);
});

test('on a phone the pager is one line', async ({ page }) => {
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/pedidos');
  const [text, next] = [page.getByText(/^Mostrando 20 de/), page.getByRole('button', { name: 'Siguiente' })];
  const [said, pressed] = [await text.boundingBox(), await next.boundingBox()];
  expect(said?.height).toBeLessThan(24);
  expect(Math.abs((said?.y ?? 0) + (said?.height ?? 0) / 2 - (pressed?.y ?? 0) - (pressed?.height ?? 0) / 2)).toBeLessThan(4);
  await next.click();
  await expect(page).toHaveURL(/page=2/);
});
