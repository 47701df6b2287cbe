import type { Locator, Page } from '@playwright/test';
import { expect, row, rows, SUPERADMIN, signIn, test } from './fixtures.ts';

/* A list on a real server: searching, sorting, paging, and scrolling to the last row. */

/** True if the lower edge of the element is inside the window and not covered. */
const inSight = (element: Locator) =>
  element.evaluate((e) => {
    const { left, bottom, top, width } = e.getBoundingClientRect();
    const at = (y: number) => document.elementFromPoint(left + width / 2, y);
    return [bottom - 4, (top + bottom) / 2].every((y) => y > 0 && y < innerHeight && e.contains(at(y)));
  });

async function wheelTo(page: Page, wanted: Locator, by: number) {
  await expect(async () => {
    await page.mouse.wheel(0, by);
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    expect(await inSight(wanted)).toBe(true);
  }).toPass({ intervals: [20], timeout: 30_000 });
}

test('a list is searched, sorted and paged by the server, and scrolls to its last row', async ({ page, api }) => {
  const pack_id = (await api.pack()).id;
  await api.pedido({ pack_id, cliente_nombre: 'Otra cosa' });
  for (let i = 10; i < 31; i += 1) await api.pedido({ pack_id, cliente_nombre: `Droguería ${i}` });
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto('/pedidos');
  await page.getByRole('searchbox').fill('drogueria');
  await expect(page.getByText('Mostrando 20 de 21 pedidos')).toBeVisible();
  await expect(row(page, 'Droguería 30')).toBeVisible();
  await page.getByRole('columnheader', { name: 'Cliente' }).getByText('Cliente').click();
  await expect(page).toHaveURL(/search=drogueria.*sort=cliente_nombre&dir=asc/);
  const list = page.getByRole('table', { name: 'Pedidos' });
  await expect(rows(list).first()).toContainText('Droguería 10');
  await expect(rows(list).last()).toContainText('Droguería 29');

  const { x = 0, y = 0, width = 0 } = (await list.boundingBox()) ?? {};
  await page.mouse.move(x + width / 2, y + 100);
  expect(await inSight(rows(list).last())).toBe(false);
  await wheelTo(page, rows(list).last(), 400);
  await wheelTo(page, rows(list).first(), -400);
  await page.getByRole('button', { name: 'Siguiente' }).click();
  await expect(rows(list)).toHaveText([/Droguería 30/]);
});
